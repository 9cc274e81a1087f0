package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.client;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Point 6 of the order: what passes all the same. */
class ExemptionsTest {
    private static final String STRICT = "mode: enforce, default: {reads: refuse, writes: refuse}, ";
    private static final String REGISTERED = "exemptions: [{id: one}, {id: old, until: 2026-12-14},"
            + " {id: scoped, match: {namespace: shop.d}}], commentExemptions: ";

    private static String decide(CompiledPolicy policy, String command, Instant now) {
        return text(policy.decide(command(command), RouteFixture.scatter("shop.c"), CLIENT, now));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespace: shop.*                                  | allow/exempted(e)",
                "namespace: shop.d                                  | refuse/default",
                "commands: [find, count]                            | allow/exempted(e)",
                "commands: count                                    | refuse/default",
                "appName: rep*                                      | allow/exempted(e)",
                "appName: web                                       | refuse/default",
                "user: ann                                          | allow/exempted(e)",
                "user: bob                                          | refuse/default",
                "namespace: shop.c, commands: find, appName: report | allow/exempted(e)",
                "namespace: shop.c, commands: find, appName: web    | refuse/default",
            })
    void aMatchExempts(String match, String expected) {
        CompiledPolicy policy = policy(STRICT + "exemptions: [{id: e, match: {" + match + "}}]");

        assertThat(text(policy.decide(
                        command("{find: 'c'}"), RouteFixture.scatter("shop.c"), client("report", "ann"), NOW)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-12-13T23:59:59.999Z, allow/exempted(e)",
        "2026-12-14T00:00:00Z, allow/exempted(e)",
        "2026-12-14T23:59:59.999999999Z, allow/exempted(e)",
        "2026-12-15T00:00:00Z, refuse/default",
        "2027-12-14T12:00:00Z, refuse/default"
    })
    void anExemptionLastsToTheEndOfItsLastDayInUtc(Instant now, String expected) {
        CompiledPolicy byMatch =
                policy(STRICT + "exemptions: [{id: e, match: {namespace: shop.c}, until: 2026-12-14}]");
        CompiledPolicy byComment = policy(STRICT + "exemptions: [{id: e, until: 2026-12-14}]");

        assertThat(decide(byMatch, "{find: 'c'}", now)).isEqualTo(expected);
        assertThat(decide(byComment, "{find: 'c', comment: 'scatterguard:allow=e'}", now))
                .isEqualTo(expected);
    }

    @Test
    void anExemptionThatIsOverHidesNoOther() {
        CompiledPolicy policy = policy(STRICT + "exemptions: [{id: old, match: {namespace: shop.c}, until: 2026-12-14},"
                + " {id: new, match: {namespace: shop.c}}, {id: newer, match: {namespace: shop.c}}]");

        assertThat(decide(policy, "{find: 'c'}", NOW)).isEqualTo("allow/exempted(new)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "registered | one    | allow/exempted(one)",
                "registered | two    | refuse/default",
                "registered | old    | refuse/default",
                "registered | scoped | refuse/default",
                "any        | one    | allow/exempted(one)",
                "any        | two    | allow/exempted(two)",
                "any        | old    | refuse/default",
                "any        | scoped | refuse/default",
                "off        | one    | refuse/default",
                "off        | two    | refuse/default",
            })
    void aCommentNamesWhatTheModeAccepts(String mode, String id, String expected) {
        CompiledPolicy policy = policy(STRICT + REGISTERED + mode);

        assertThat(decide(policy, "{find: 'c', comment: 'scatterguard:allow=" + id + "'}", NOW))
                .isEqualTo(expected);
    }

    @Test
    void anExemptionWithoutMatchNeedsItsComment() {
        CompiledPolicy policy = policy(STRICT + REGISTERED + "registered");

        assertThat(decide(policy, "{find: 'c'}", NOW)).isEqualTo("refuse/default");
        assertThat(decide(policy, "{find: 'c', filter: {comment: 'scatterguard:allow=one'}}", NOW))
                .isEqualTo("refuse/default");
        assertThat(decide(policy, "{find: 'c', comment: 5}", NOW)).isEqualTo("refuse/default");
    }

    @ParameterizedTest
    @CsvSource({
        "refuse, true, allow/exempted[r](e)",
        "refuse, false, refuse/rule[r]",
        "log, true, allow/exempted[r](e)",
        "log, false, log/rule[r]",
        "allow, true, allow/rule[r]"
    })
    void aRuleSaysWhetherItCanBeLifted(String action, boolean exemptible, String expected) {
        CompiledPolicy policy = policy(STRICT + "rules: [{name: r, action: " + action + ", exemptible: " + exemptible
                + "}], exemptions: [{id: e, match: {commands: find}}]");

        assertThat(decide(policy, "{find: 'c'}", NOW)).isEqualTo(expected);
    }

    @Test
    void whatIsNoFindingIsNotExempted() {
        CompiledPolicy policy = policy(STRICT + "exemptions: [{id: e, match: {commands: find}}]");

        assertThat(text(policy.decide(command("{find: 'c'}"), RouteFixture.unsharded("shop.c"), CLIENT, NOW)))
                .isEqualTo("allow/default");
    }

    @Test
    void anExemptionInObserveModeIsNoFinding() {
        CompiledPolicy policy = policy("default: {reads: refuse}, exemptions: [{id: e, match: {commands: find}}]");

        assertThat(decide(policy, "{find: 'c'}", NOW)).isEqualTo("allow/exempted(e)");
        assertThat(decide(policy, "{count: 'c'}", NOW)).isEqualTo("log!/default");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-12-31 | exemption about to expire id=e owner=\"data-team\" until=2026-12-31",
                "2026-12-18 | exemption about to expire id=e owner=\"data-team\" until=2026-12-31",
                "2026-12-17 | exemption about to expire id=e owner=\"data-team\" until=2026-12-31",
                "2026-12-16 | ''",
                "2027-01-01 | exemption expired, no longer applies id=e owner=\"data-team\" until=2026-12-31",
            })
    void anExemptionIsAnnouncedAFortnightBeforeItsEnd(LocalDate today, String expected) {
        CompiledPolicy policy =
                policy("exemptions: [{id: e, owner: data-team, reason: because, until: 2026-12-31}, {id: endless}]");

        assertThat(String.join("\n", policy.notices(today))).isEqualTo(expected);
    }

    @Test
    void everyExemptionHasItsOwnLineAndNeedsNoOwner() {
        CompiledPolicy policy = policy("exemptions: [{id: a, until: 2026-12-01}, {id: b, until: 2026-12-20},"
                + " {id: c, until: 2027-12-20, match: {namespace: shop.c}}]");

        assertThat(policy.notices(LocalDate.parse("2026-12-15")))
                .containsExactly(
                        "exemption expired, no longer applies id=a owner=nobody until=2026-12-01",
                        "exemption about to expire id=b owner=nobody until=2026-12-20");
        assertThat(policy("mode: observe").notices(LocalDate.MAX)).isEmpty();
    }

    /** A baseline may hold thousands: they are announced together. */
    @Test
    void shapesOfTheBaselineAreAnnouncedTogether() {
        CompiledPolicy policy = policy("baseline: [{id: \"0000000000000001\", until: 2026-12-01},"
                + " {id: \"0000000000000002\", until: 2026-11-01}, {id: \"0000000000000003\", until: 2026-12-29},"
                + " {id: \"0000000000000004\", until: 2026-12-30}, {id: \"0000000000000005\"}]");

        assertThat(policy.notices(LocalDate.parse("2026-12-15")))
                .containsExactly(
                        "baseline shapes expired, no longer apply count=2 last=2026-12-01",
                        "baseline shapes about to expire count=1 first=2026-12-29");
        assertThat(policy.notices(LocalDate.parse("2026-10-01"))).isEmpty();
    }
}
