package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ViewResolverTest {
    private static ViewResolver.Resolved resolve(String... documents) {
        return ViewResolver.resolve(
                List.of(documents).stream().map(BsonDocument::parse).toList());
    }

    private static Namespace ns(String name) {
        return Namespace.parse(name);
    }

    @Test
    void aViewOnAViewHasTheStagesOfBothAndItsOwnCollation() {
        ViewResolver.Resolved resolved = resolve(
                "{_id: 'shop.outer', viewOn: 'inner', pipeline: [{$match: {b: 2}}], collation: {locale: 'de'}}",
                "{_id: 'shop.inner', viewOn: 'orders', pipeline: [{$match: {a: 1}}, {$sort: {a: 1}}]}",
                "{_id: 'other.inner', viewOn: 'x', pipeline: []}");

        assertThat(resolved.problems()).isEmpty();
        ResolvedView outer = resolved.views().get(ns("shop.outer"));
        assertThat(outer.underlying()).isEqualTo(ns("shop.orders"));
        assertThat(outer.pipeline().toBsonValue())
                .isEqualTo(BsonDocument.parse("{p: [{$match: {a: 1}}, {$sort: {a: 1}}, {$match: {b: 2}}]}")
                        .get("p"));
        assertThat(outer.collation().toBsonValue()).isEqualTo(BsonDocument.parse("{locale: 'de'}"));
        ResolvedView inner = resolved.views().get(ns("shop.inner"));
        assertThat(inner.collation().toBsonValue())
                .as("none is the simple one")
                .isEqualTo(BsonDocument.parse("{locale: 'simple'}"));
        assertThat(resolved.views().get(ns("other.inner")).underlying()).isEqualTo(ns("other.x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{_id: 'shop.v', viewOn: 'v', pipeline: []}     | shop.v: view on view: more than 20 levels, or a cycle",
                "{_id: 'shop.v', viewOn: 5, pipeline: []}       | shop.v: field viewOn: INT32 (expected: a string)",
                "{_id: 'shop.v', viewOn: 'a'}                   | shop.v: field pipeline: missing (expected: an array of",
                "{_id: 'shop.v', viewOn: 'a', pipeline: [5]}    | shop.v: field pipeline: ARRAY (expected: an array of",
                "{_id: 'shop.v', viewOn: 'a', pipeline: [], collation: 5} | shop.v: field collation: INT32",
                "{_id: 'shop.v', viewOn: 'broken', pipeline: []} | shop.v: viewOn: shop.broken, which cannot be followed",
            })
    void aBrokenViewIsUnknownAndTheOthersAreNot(String view, String problem) {
        ViewResolver.Resolved resolved = resolve(
                view,
                "{_id: 'shop.broken', viewOn: null, pipeline: []}",
                "{_id: 'shop.good', viewOn: 'orders', pipeline: []}");

        assertThat(resolved.views()).containsOnlyKeys(ns("shop.good"));
        assertThat(resolved.broken()).containsExactlyInAnyOrder(ns("shop.v"), ns("shop.broken"));
        assertThat(resolved.problems()).hasSize(2).anySatisfy(p -> {
            assertThat(p.subject()).isEqualTo("shop.v");
            assertThat(p.message()).startsWith(problem);
        });
    }

    @Test
    void aDocumentWithoutANameIsAProblemOfNoNamespace() {
        ViewResolver.Resolved resolved = resolve("{viewOn: 'orders', pipeline: []}");
        assertThat(resolved.broken()).isEmpty();
        assertThat(resolved.problems())
                .singleElement()
                .satisfies(p -> assertThat(p.subject()).isEqualTo("system.views"));
    }

    @Test
    void twentyLevelsAreFollowedAndOneMoreIsNot() {
        List<BsonDocument> chain = new ArrayList<>();
        for (int i = 1; i <= 21; i++) {
            chain.add(BsonDocument.parse(
                    "{_id: 'shop.v" + i + "', viewOn: '" + (i == 1 ? "orders" : "v" + (i - 1)) + "', pipeline: []}"));
        }
        ViewResolver.Resolved resolved = ViewResolver.resolve(chain);
        assertThat(resolved.views()).hasSize(20).containsKey(ns("shop.v20"));
        assertThat(resolved.broken()).containsExactly(ns("shop.v21"));
    }

    @Test
    void theViewThatATimeSeriesIsIsLeftToItsBuckets() {
        ViewResolver.Resolved resolved = resolve(
                "{_id: 'shop.series', viewOn: 'system.buckets.series', pipeline: [{$_internalUnpackBucket: {}}]}",
                "{_id: 'shop.v', viewOn: 'series', pipeline: []}");
        assertThat(resolved.views()).containsOnlyKeys(ns("shop.v"));
        assertThat(resolved.views().get(ns("shop.v")).underlying()).isEqualTo(ns("shop.series"));
        assertThat(resolved.problems()).isEmpty();
    }
}
