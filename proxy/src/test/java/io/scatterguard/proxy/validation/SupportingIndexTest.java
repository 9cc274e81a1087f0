package io.scatterguard.proxy.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SupportingIndexTest {
    private static Optional<Boolean> noArrays(String name) {
        return Optional.of(false);
    }

    private static List<Finding> check(
            String key,
            boolean unique,
            Function<String, Optional<Boolean>> multikey,
            boolean empty,
            String... indexes) {
        List<Finding> findings = new ArrayList<>();
        List<IndexFacts> facts = new ArrayList<>();
        for (String index : indexes) {
            facts.add(IndexFacts.of(BsonDocument.parse(index)));
        }
        new SupportingIndexCheck(
                        new Findings("d.c", findings), new KeyPattern(BsonDocument.parse(key)), facts, multikey)
                .check(unique, "CREATE", empty);
        return findings;
    }

    private static List<Finding> check(String key, String... indexes) {
        return check(key, false, SupportingIndexTest::noArrays, false, indexes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {a: 1}              | {a: 1}
            {a: 1}              | {a: 1.0, b: -1}
            {a: 1, b: 1}        | {a: 1, b: {$numberLong: '1'}, c: 'hashed'}
            {a: 'hashed'}       | {a: 'hashed'}
            {a: 'hashed', b: 1} | {a: 'hashed', b: 1}
            {'a.b': 1}          | {'a.b': 1}
            {_id: 1}            | {_id: 1}
            """)
    void anIndexThatBeginsWithTheVeryKeySupportsIt(String key, String index) {
        assertThat(check(key, "{name: 'i', key: " + index + "}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {a: 1}              | {a: -1}
            {a: 1}              | {b: 1, a: 1}
            {a: 1}              | {a: 'hashed'}
            {a: 1}              | {'$**': 1}
            {a: 'hashed'}       | {a: 1}
            {a: 1, b: 1}        | {a: 1}
            {a: 1, b: 1}        | {a: 1, c: 1, b: 1}
            """)
    void anyOtherDoesNot(String key, String index) {
        assertThat(check(key, "{name: 'i', key: " + index + "}"))
                .singleElement()
                .matches(finding -> finding.isError() && finding.check().equals("supportingIndex"))
                .extracting(Finding::fix)
                .isEqualTo("create it: CREATE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sparse: true",
                "sparse: 1",
                "partialFilterExpression: {b: 1}",
                "collation: {locale: 'en'}",
                "hidden: true"
            })
    void someIndexesCannotSupportAKeyWhateverTheirFields(String option) {
        String index = "{name: 'i', key: {a: 1}, " + option + "}";
        assertThat(check("{a: 1}", index)).singleElement().asString().contains("index i {a: 1} is ");
        assertThat(check("{a: 1}", index, "{name: 'j', key: {a: 1, b: 1}}")).isEmpty();
        assertThat(check("{a: 1}", index.replace("true", "false").replace(": 1}, sparse: 1", ": 1}, sparse: 0")))
                .hasSize(option.contains("true") || option.equals("sparse: 1") ? 0 : 1);
    }

    @Test
    void anIndexWithArraysDoesNotSupportAKey() {
        String[] indexes = {"{name: 'i', key: {a: 1, b: 1}}", "{name: 'j', key: {a: 1, c: 1}}"};
        assertThat(check("{a: 1}", false, name -> Optional.of(true), false, indexes))
                .singleElement()
                .asString()
                .contains("index i {a: 1, b: 1} is multikey", "index j {a: 1, c: 1} is multikey");
        assertThat(check("{a: 1}", false, name -> Optional.of(name.equals("i")), false, indexes))
                .isEmpty();
        assertThat(check("{a: 1}", false, name -> Optional.empty(), false, indexes))
                .extracting(Finding::check)
                .containsExactly("multikeyUnknown");
    }

    @Test
    void theServerMakesTheIndexOfAnEmptyCollection() {
        assertThat(check("{a: 1}", true, SupportingIndexTest::noArrays, true)).noneMatch(Finding::isError);
        assertThat(check("{a: 1}", true, SupportingIndexTest::noArrays, false))
                .extracting(Finding::check)
                .containsExactly("uniqueKeyIndex", "supportingIndex");
    }

    @Test
    void aUniqueKeyNeedsAUniqueIndexOfExactlyItsFields() {
        assertThat(check(
                        "{a: 1}", true, SupportingIndexTest::noArrays, false, "{name: 'i', key: {a: 1}, unique: true}"))
                .isEmpty();
        assertThat(check("{_id: 1}", true, SupportingIndexTest::noArrays, false, "{name: '_id_', key: {_id: 1}}"))
                .isEmpty();
        assertThat(check("{a: 1}", true, SupportingIndexTest::noArrays, true, "{name: 'i', key: {a: 1}}"))
                .singleElement()
                .asString()
                .contains("index i {a: 1} is not");
        assertThat(check(
                        "{a: 1}",
                        true,
                        SupportingIndexTest::noArrays,
                        false,
                        "{name: 'i', key: {a: 1, b: 1}, unique: true}"))
                .singleElement()
                .asString()
                .contains("no unique index has exactly its fields");
    }
}
