package io.scatterguard.proxy.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.RulesFile;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of collections and samples of documents. */
class DatabaseFactsTest {
    private static List<String> options(String rule, String options) {
        List<Finding> findings = new ArrayList<>();
        CollectionRule parsed =
                (CollectionRule) RulesFile.parse("shardingRules: [{namespace: d.c, " + rule + "}]", "rules.yaml")
                        .get(0);
        new OptionsCheck(parsed, new Findings("d.c", findings)).check(BsonDocument.parse(options));
        return findings.stream().map(Finding::check).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            key: {a: 1} | {} |
            key: {a: 1} | {capped: true} | capped
            key: {a: 1} | {capped: false} |
            unsplittable: s | {capped: true} |
            key: {a: 1} | {collation: {locale: 'en'}} | collation,collationOfCommand
            key: {a: 1}, collation: {locale: simple} | {} |
            key: {a: 1}, collation: {locale: en, strength: 2} | {collation: {locale: 'en', strength: 2, caseLevel: false, caseFirst: 'off', version: '57.1'}} | collationOfCommand
            key: {a: 1}, collation: {locale: en} | {collation: {locale: 'en', strength: 3}} | collationOfCommand
            key: {a: 1}, collation: {locale: en, strength: 2} | {collation: {locale: 'en', strength: 1}} | collation,collationOfCommand
            key: {a: 1}, collation: {locale: en} | {} | collation
            key: {a: 1} | {encryptedFields: {fields: [{path: 'b'}]}} |
            key: {a: 1} | {encryptedFields: {fields: [{path: 'a'}]}} | encryptedKey
            key: {a: 1} | {encryptedFields: {fields: [{path: 'a.b'}]}} | encryptedKey
            key: {a.b: 1} | {encryptedFields: {fields: [{path: 'a'}]}} | encryptedKey
            key: {ab: 1} | {encryptedFields: {fields: [{path: 'a'}]}} |
            key: {m: 1}, timeseries: {timeField: t, metaField: m} | {timeseries: {timeField: 't', metaField: 'm'}} |
            key: {m: 1}, timeseries: {timeField: t, metaField: m} | {timeseries: {timeField: 't', metaField: 'n'}} | timeseriesFields
            key: {m: 1}, timeseries: {timeField: t, metaField: m} | {timeseries: {timeField: 'x', metaField: 'm'}} | timeseriesFields
            """)
    void optionsOfACollection(String rule, String options, String expected) {
        assertThat(options(rule, options)).isEqualTo(expected == null ? List.of() : List.of(expected.split(",")));
    }

    private static List<String> sample(String path, String... documents) {
        KeySample sample = new KeySample(List.of(path));
        for (String document : documents) {
            sample.accept(BsonDocument.parse(document));
        }
        List<Finding> findings = new ArrayList<>();
        sample.report(new Findings("d.c", findings));
        return findings.stream().map(Finding::check).toList();
    }

    @Test
    void fieldsOfTheKeyArePresentAndNoArrays() {
        assertThat(sample("a", "{a: 1}", "{a: null}", "{a: {b: [1]}}")).isEmpty();
        assertThat(sample("a", "{b: 1}")).containsExactly("missingKeyField");
        assertThat(sample("a", "{a: []}")).containsExactly("arrayInKey");
        assertThat(sample("a.b", "{a: [{b: 1}]}")).containsExactly("arrayInKey");
        assertThat(sample("a.b", "{a: {b: [1]}}")).containsExactly("arrayInKey");
        assertThat(sample("a.b", "{a: {c: 1}}", "{a: 5}")).containsExactly("missingKeyField");
        assertThat(sample("a")).isEmpty();
    }

    @Test
    void largeValuesAreCountedOnBothSidesOfTheBounds() {
        // Length, then the text and its end.
        for (int[] size : new int[][] {{512, 0, 0}, {513, 1, 0}, {65_536, 1, 0}, {65_537, 0, 1}}) {
            KeySample sample = new KeySample(List.of("a"));
            sample.accept(new BsonDocument("a", new BsonString("x".repeat(size[0] - 5))));
            List<Finding> findings = new ArrayList<>();
            sample.report(new Findings("d.c", findings));
            assertThat(findings.stream().filter(f -> f.severity() == Finding.Severity.NOTE))
                    .hasSize(size[1]);
            assertThat(findings.stream().filter(f -> f.severity() == Finding.Severity.WARNING))
                    .hasSize(size[2]);
        }
    }
}
