package io.scatterguard.proxy.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.validation.Finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeclaredRulesTest {
    private static List<Finding> check(String... rules) {
        return RulesCheck.declared(
                RulesFile.parse("shardingRules:\n  - " + String.join("\n  - ", rules), "rules.yaml"));
    }

    /** The checks that found something, without notes. */
    private static List<String> found(String... rules) {
        return check(rules).stream()
                .filter(finding -> finding.severity() != Severity.NOTE)
                .map(Finding::check)
                .toList();
    }

    /** The server's own examples of what a unique index must be like (shard_key_pattern_test.cpp). */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {a: 1}            | {a: 1}
            {a: 1}            | {a: -1}
            {a: 1}            | {a: 1, b: 1}
            {a: 1}            | {a: -1, b: 1}
            {a: 1}            | {_id: 1}
            {a: hashed}       | {a: 1}
            {a: 1, b: 1}      | {a: 1, b: -1}
            {a: 1, b: 1}      | {a: 1, b: 1, c: 1}
            {a: 1, b: hashed} | {a: 1, b: 1}
            {a.b: 1}          | {a.b: 1, c: 1}
            """)
    void aUniqueIndexMayBeginWithTheKey(String key, String index) {
        assertThat(found("{namespace: d.c, key: " + key + ", uniqueIndexes: [" + index + "]}"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {a: 1}            | {b: 1}
            {a: 1}            | {b: -1, a: 1}
            {a: 1}            | {a.b: 1}
            {a.b: 1}          | {a: 1}
            {a: 1, b: 1}      | {a: 1}
            {a: 1, b: 1}      | {b: 1, a: 1}
            {a: 1, b: 1}      | {a: 1, c: 1, b: 1}
            {a: hashed, b: 1} | {b: 1}
            {a: 1, _id: 1}    | {a: 1, b: 1}
            """)
    void aUniqueIndexMustBeginWithTheKey(String key, String index) {
        assertThat(found("{namespace: d.c, key: " + key + ", uniqueIndexes: [" + index + "]}"))
                .containsExactly("uniqueIndexWithoutKey");
    }

    @Test
    void whatIsWrongWithAnIndexIsNamedWithWhatMendsIt() {
        assertThat(check("{namespace: d.c, key: {a: 1, _id: hashed}, uniqueIndexes: [{a: 1, b: 1}]}")
                        .get(0))
                .hasToString(
                        "error d.c: unique index {a: 1, b: 1} does not begin with the shard key {a: 1, _id: \"hashed\"}:"
                                + " the server refuses to shard a collection that has it (InvalidOptions), and to create it on one"
                                + " that is sharded (CannotCreateIndex) (begin the index with a, _id, shard by {a: 1}, or make the"
                                + " index not unique)");
    }

    @Test
    void anIndexThatBeginsWithIdIsAcceptedAndNotKept() {
        assertThat(found("{namespace: d.c, key: {a: 1}, uniqueIndexes: [{_id: 1, b: 1}]}"))
                .containsExactly("uniqueOnlyWithinShards");
    }

    @Test
    void hashedIsNotUnique() {
        assertThat(found("{namespace: d.c, key: {a: hashed}, unique: true}")).containsExactly("hashedUniqueKey");
        assertThat(found("{namespace: d.c, key: {a: 1}, unique: true}")).isEmpty();
        assertThat(found("{namespace: d.c, key: {a: hashed}, uniqueIndexes: [{a: hashed}]}"))
                .containsExactly("hashedUniqueIndex");
    }

    @Test
    void ofIdIsToldWhereItIsNotTheKey() {
        assertThat(check("{namespace: d.c, key: {_id: 1}}")).isEmpty();
        assertThat(check("{namespace: d.c, key: {_id: hashed}}")).isEmpty();
        assertThat(check("{namespace: d.c, key: {a: 1, _id: 1}}"))
                .extracting(Finding::check)
                .containsExactly("idOnlyWithinShards");
    }

    @ParameterizedTest
    @ValueSource(strings = {"config.c", "d.system.profile"})
    void theServersOwnCollectionsAreNotSharded(String namespace) {
        assertThat(found("{namespace: " + namespace + ", key: {_id: 1}}")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {m: 1}             |
            {m.a: 1}           |
            {m: hashed}        |
            {m: 1, t: 1}       | timeseriesTimeKey
            {t: 1}             | timeseriesTimeKey
            """)
    void aTimeseriesKeyIsOfItsMetaFieldAndItsTime(String key, String expected) {
        List<String> found = found("{namespace: d.c, key: " + key + ", timeseries: {timeField: t, metaField: m}}");
        assertThat(found).isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    @Test
    void aTimeseriesCollectionHasNoUniqueIndexes() {
        assertThat(
                        found(
                                "{namespace: d.c, key: {m: 1}, uniqueIndexes: [{m: 1}], timeseries: {timeField: t, metaField: m}}"))
                .containsExactly("timeseriesUnique");
    }

    @Test
    void nothingFollowsFromAKeyWhereNothingIsSharded() {
        assertThat(check("{namespace: d.c, unsplittable: a, uniqueIndexes: [{b: 1}]}"))
                .isEmpty();
    }

    @Test
    void viewsStandOnSomething() {
        assertThat(found("{namespace: d.v, viewOn: d.w}", "{namespace: d.w, viewOn: d.v}"))
                .containsExactly("viewCircle", "viewCircle");
        assertThat(check("{namespace: d.v, viewOn: d.w}", "{namespace: d.w, viewOn: d.c}"))
                .extracting(Finding::check)
                .containsExactly("viewOnUndeclared", "viewOnUndeclared");
        assertThat(check("{namespace: d.v, viewOn: d.c}", "{namespace: d.c, key: {_id: 1}}"))
                .isEmpty();
    }

    @Test
    void viewsStandOnTwentyOthers() {
        String[] rules = new String[22];
        rules[0] = "{namespace: d.v0, key: {_id: 1}}";
        for (int i = 1; i < rules.length; i++) {
            rules[i] = "{namespace: d.v" + i + ", viewOn: d.v" + (i - 1) + "}";
        }
        assertThat(check(rules)).singleElement().extracting(Finding::subject).isEqualTo("d.v21");
    }
}
