package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogFilterTest {
    private static final BsonDocument CHUNK = BsonDocument.parse(
            "{_id: 1, ns: \"shop.orders\", lastmod: {$timestamp: {t: 2, i: 5}}, min: {a: {$minKey: 1}}}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{ns: \"shop.orders\", _id: {$numberLong: \"1\"}}",
                "{lastmod: {$gte: {$timestamp: {t: 2, i: 5}}}}",
                "{lastmod: {$gt: {$timestamp: {t: 2, i: 4}}, $lt: {$timestamp: {t: 3, i: 0}}}}",
                "{_id: {$in: [7, 1]}}",
                "{dropped: {$ne: true}, uuid: {$exists: false}, gone: null}",
                "{$or: [{ns: \"other\"}, {$and: [{_id: 1}]}]}",
            })
    void matches(String filter) {
        assertThat(CatalogFilter.matches(BsonDocument.parse(filter), CHUNK)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ns: \"shop.order\"}",
                "{lastmod: {$gte: {$timestamp: {t: 2, i: 6}}}}",
                "{lastmod: {$gt: {$timestamp: {t: 2, i: 5}}}}",
                "{lastmod: {$lte: {$timestamp: {t: 2, i: 4}}}}",
                "{lastmod: {$gte: 0}}",
                "{_id: {$nin: [7, 1]}}",
                "{uuid: {$exists: true}}",
                "{$or: [{ns: \"other\"}, {_id: 2}]}",
            })
    void doesNotMatch(String filter) {
        assertThat(CatalogFilter.matches(BsonDocument.parse(filter), CHUNK)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{ns: {$regex: \"^shop\"}}", "{\"min.a\": 1}", "{$expr: {}}"})
    void whatItDoesNotKnowIsAnError(String filter) {
        assertThatThrownBy(() -> CatalogFilter.matches(BsonDocument.parse(filter), CHUNK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: ");
    }

    @Test
    void keysAreOrderedFromMinKeyToMaxKey() {
        List<BsonDocument> ordered = List.of(
                BsonDocument.parse("{a: {$minKey: 1}, b: 1}"),
                BsonDocument.parse("{a: 3, b: 1}"),
                BsonDocument.parse("{a: 3, b: 2}"),
                BsonDocument.parse("{a: {$maxKey: 1}, b: 0}"));
        List<BsonDocument> shuffled =
                new ArrayList<>(List.of(ordered.get(2), ordered.get(3), ordered.get(0), ordered.get(1)));
        shuffled.sort(CatalogFilter::compare);
        assertThat(shuffled).isEqualTo(ordered);
    }
}
