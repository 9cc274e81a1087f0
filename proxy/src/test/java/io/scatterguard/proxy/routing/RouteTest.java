package io.scatterguard.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.DeclaredCatalog;
import io.scatterguard.proxy.catalog.DeclaredLayout;
import io.scatterguard.proxy.config.RulesFile;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A statement's position, and what is judged by declared keys before the metadata of a cluster was ever read. */
class RouteTest {
    private static final CatalogSnapshot NEVER_READ = new DeclaredCatalog(
                    RulesFile.parse("""
                            shardingRules:
                              - {namespace: shop.orders, key: {customer: 1}, shards: 2}
                              - {namespace: shop.times, key: {m: 1}, timeseries: {timeField: t, metaField: m}}
                              - {namespace: shop.pinned, viewOn: shop.orders, pipeline: [{$match: {customer: 5}}]}
                              - {namespace: shop.lost, viewOn: shop.elsewhere}
                            """, "rules.yaml"), DeclaredLayout.of(8, 0))
            .apply(CatalogSnapshot.empty());

    private static Route route(String command) {
        CommandView view = CommandView.of("shop", BsonView.encode(BsonDocument.parse(command)));
        return new KeyRouter().route(view, NEVER_READ, RouterRelease.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anEqualStatementHasItsOwnPosition(int index) {
        String statement = "{q: {a: 1}, u: {$set: {b: 1}}, multi: true}";
        Route batch = route("{update: 'orders', updates: [" + String.join(",", statement, statement, statement) + "]}");

        assertThat(batch.statements().get(0)).isEqualTo(batch.statements().get(2));
        assertThat(batch.worstIndex()).isZero();
        assertThat(batch.about(index).worstIndex()).isEqualTo(index);
        assertThat(batch.about(index).about(0).worstIndex()).isZero();
        assertThat(batch.about(3)).isSameAs(batch);
        assertThatThrownBy(() -> new Route(
                        batch.kind(),
                        batch.namespace(),
                        batch.worst(),
                        3,
                        batch.statements(),
                        batch.shards(),
                        batch.contacted(),
                        batch.placement(),
                        batch.table(),
                        batch.registry(),
                        batch.release()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("worstIndex: 3 (expected: below 3)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'orders', filter: {customer: 1}} | SINGLE_SHARD",
                "{find: 'orders', filter: {a: 1}} | SCATTER_GATHER",
                "{find: 'orders', filter: {customer: {$gt: 1}}} | MULTI_SHARD",
                "{update: 'orders', updates: [{q: {a: 1}, u: {$set: {b: 1}}, multi: true}]} | SCATTER_GATHER",
                "{find: 'times', filter: {m: 1}} | SINGLE_SHARD",
                "{find: 'times', filter: {x: 1}} | SCATTER_GATHER",
                "{find: 'pinned', filter: {x: 1}} | SINGLE_SHARD"
            })
    void whatIsDeclaredIsJudgedBeforeAnythingWasRead(String command, Shape shape) {
        Route route = route(command);

        assertThat(route.shape()).isEqualTo(shape);
        assertThat(route.certainty()).isEqualTo(Certainty.EXACT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'other', filter: {customer: 1}}",
                "{find: 'lost', filter: {customer: 1}}",
                "{insert: 'other', documents: [{}]}",
                "{aggregate: 'other', pipeline: []}"
            })
    void whatIsNotDeclaredIsAsUnknownAsBefore(String command) {
        Route route = route(command);

        assertThat(route.worst().reason()).isEqualTo(Reason.CATALOG_UNKNOWN);
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(route.shards().isEmpty()).isTrue();
    }

    @Test
    void aBroadcastIsOverTheShardsThatStandIn() {
        Route route = route("{delete: 'orders', deletes: [{q: {a: 1}, limit: 0}]}");

        assertThat(route.registry().names(route.shards())).containsExactlyInAnyOrder("shard-1", "shard-2");
    }
}
