package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong in a rule or an exemption is named by its key. */
class PolicyErrorsTest {
    private static final String MINIMAL = "listeners: [{upstream: {hosts: [a]}}]\n";

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "placement: all # placement: \"all\" (expected: unsharded | oneShard | manyShards | allShards, or a list of them)",
                "minShards: 0 # minShards: 0 (expected: 1..10000)",
                "minShards: 10001 # minShards: 10001 (expected: 1..10000)",
                "minShards: -1 # minShards: -1 (expected: 1..10000)",
                "notes: [idOnly] # notes[0]: \"idOnly\" (expected: hexStringForObjectId | numberForString | typeUnlikeKey |"
                        + " keyEqualsNull | keyUnderWrongPath | unscopedOrBranch | matchAfterLimit | keyFieldTwice |"
                        + " replacementLacksKey | idOnlyWrite, or a list of them)",
                "driver: \" \" # driver: not one line of 1..200 characters",
                "clientAddress: 10.0.0.1/8 # clientAddress: \"10.0.0.1/8\" (expected: an address like 10.1.2.3 or ::1,"
                        + " or a network like 10.0.0.0/8)",
                "clientAddress: localhost # clientAddress: \"localhost\" (expected: an address like 10.1.2.3 or ::1,"
                        + " or a network like 10.0.0.0/8)",
                "commentTag: [test:*, a b] # commentTag[1]: \"a b\" (expected: a glob on a word of the comment, like test:*)",
                "time: {} # time.days: nothing is given (expected: days, from or to; or no time)",
                "time: {days: [tuesday]} # time.days[0]: \"tuesday\" (expected: mon | tue | wed | thu | fri | sat | sun,"
                        + " or a list of them)",
                "time: {from: 8} # time.from: \"8\" (expected: a time like 08:00, 00:00..23:59)",
                "time: {from: 08:60} # time.from: \"08:60\" (expected: a time like 08:00, 00:00..23:59)",
                "time: {from: 24:00} # time.from: no such time (expected: a time like 08:00, 00:00..23:59)",
                "time: {to: 24:01} # time.to: \"24:01\" (expected: a time like 18:00, 00:01..24:00)",
                "time: {to: 00:00} # time.to: no such time (expected: a time like 18:00, 00:01..24:00)",
                "time: {from: 08:00, to: 08:00} # time.to: the same as from, which is no time at all (expected: another;"
                        + " or neither, for whole days)",
                "time: {days: mon, zone: Berlin} # time.zone: \"Berlin\" (expected: a time zone like Europe/Berlin or UTC)",
            })
    void aMatch(String match, String expected) {
        assertErrors("rules: [{name: r, action: log, match: {" + match + "}}]", "policy.rules[0].match." + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "placement: allShards # placement: unknown key (known here: namespace, commands, appName, user, driver,"
                        + " clientAddress, commentTag, time)",
                "clientAddress: x # clientAddress: \"x\" (expected: an address like 10.1.2.3 or ::1, or a network like"
                        + " 10.0.0.0/8)",
            })
    void aMatchOfAnExemption(String match, String expected) {
        assertErrors("exemptions: [{id: e, match: {" + match + "}}]", "policy.exemptions[0].match." + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "action: throttle # rate: missing (expected: a rate like 10/s, 600/m or 1000/h, 1..1000000, for a throttle)",
                "action: log, canary: 10% # canary: of no effect where nothing is refused (remove it)",
                "action: refuse, canary: 10 # canary: \"10\" (expected: a part like 10% or 0.5%, 0.01%..100%)",
                "action: refuse, canary: 0% # canary: out of range (expected: a part like 10% or 0.5%, 0.01%..100%)",
                "action: refuse, canary: 100.01% # canary: out of range (expected: a part like 10% or 0.5%, 0.01%..100%)",
                "action: refuse, rate: 1/s # rate: of no effect without a throttle (remove it)",
                "action: throttle, rate: 0/s # rate: \"0/s\" (expected: a rate like 10/s, 600/m or 1000/h, 1..1000000)",
                "action: throttle, rate: 5 # rate: \"5\" (expected: a rate like 10/s, 600/m or 1000/h, 1..1000000)",
                "action: throttle, rate: 1000001/s # rate: \"1000001/s\" (expected: a rate like 10/s, 600/m or 1000/h,"
                        + " 1..1000000)",
            })
    void anAction(String action, String expected) {
        assertErrors("rules: [{name: r, " + action + "}]", "policy.rules[0]." + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "{namespace: a.*} # owner: missing (expected: the name of a team)",
                "{owner: \"\"} # owner: not one line of 1..200 characters",
                "{owner: a, driver: x} # driver: unknown key (known here: owner, namespace, user, appName)",
            })
    void anOwner(String entry, String expected) {
        assertErrors("owners: [" + entry + "]", "policy.owners[0]." + expected);
    }

    private static void assertErrors(String policy, String... expected) {
        ConfigException e = catchThrowableOfType(
                ConfigException.class, () -> ConfigReader.read(MINIMAL + "policy: {" + policy + "}", Map.of()));

        assertThat(e).isNotNull();
        assertThat(e.errors())
                .extracting(error -> error.path() + ": " + error.problem())
                .containsExactly(expected);
    }
}
