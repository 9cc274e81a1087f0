package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.DeclaredCatalog;
import io.scatterguard.proxy.catalog.DeclaredLayout;
import io.scatterguard.proxy.catalog.KeysOnlyCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.RouteMatchConfig.NoteChoice;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules that ask where a command goes. */
class PlacementRulesTest {
    private static ShardSet shards(int from, int count) {
        BitSet ordinals = new BitSet();
        ordinals.set(from, from + count);
        return ShardSet.of(ordinals);
    }

    /** A command that reads {@code used} shards and contacts {@code besides} others. */
    private static Route route(Shape shape, Placement placement, int used, int besides) {
        StatementRoute statement =
                new StatementRoute(placement, shape, Certainty.EXACT, shards(0, used), 0, 0, Reason.KEY_BOUNDS, null);
        return new Route(
                Route.Kind.ROUTED,
                Namespace.parse("shop.c"),
                statement,
                List.of(statement),
                shards(0, used),
                shards(used, besides),
                placement,
                null,
                ShardRegistry.empty(),
                RouterRelease.DEFAULT);
    }

    private static String decide(String match, String command, Route route) {
        CompiledPolicy policy =
                policy("mode: enforce, default: {reads: allow, writes: allow}, rules: [{name: r, match: {" + match
                        + "}, action: refuse}]");
        return text(policy.decide(command(command), route, CLIENT, NOW)).replaceAll("/.*", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "placement: allShards                         | SCATTER_GATHER | ALL_SHARDS  | refuse",
                "placement: allShards                         | MULTI_SHARD    | ALL_SHARDS  | refuse",
                "placement: allShards                         | MULTI_SHARD    | MANY_SHARDS | allow",
                "placement: [manyShards, allShards]           | MULTI_SHARD    | MANY_SHARDS | refuse",
                "placement: oneShard                          | SINGLE_SHARD   | ONE_SHARD   | refuse",
                "placement: oneShard                          | SCATTER_GATHER | ONE_SHARD   | refuse",
                "placement: unsharded                         |                | UNSHARDED   | refuse",
                "placement: unsharded                         | SINGLE_SHARD   | ONE_SHARD   | allow",
                "placement: allShards, shape: scatterGather   | MULTI_SHARD    | ALL_SHARDS  | allow",
                "placement: allShards, shape: scatterGather   | SCATTER_GATHER | ALL_SHARDS  | refuse",
                "placement: allShards, shape: scatterGather   | SCATTER_GATHER | ONE_SHARD   | allow",
            })
    void aPlacement(String match, Shape shape, Placement placement, String expected) {
        assertThat(decide(match, "{find: 'c'}", route(shape, placement, 2, 0))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"3, 3, 0, refuse", "3, 2, 1, refuse", "3, 2, 0, allow", "1, 1, 0, refuse", "4, 2, 1, allow"})
    void anAmountOfShards(int least, int used, int besides, String expected) {
        assertThat(decide(
                        "minShards: " + least,
                        "{find: 'c'}",
                        route(Shape.MULTI_SHARD, Placement.MANY_SHARDS, used, besides)))
                .isEqualTo(expected);
    }

    /** With keys only, and where a declared key has no chunks, nobody knows where a range goes. */
    @Test
    void whereItIsNotKnownNothingMatches() {
        CommandView range = command("{find: 'orders', filter: {a: {$gt: 0}}}");
        Route keysOnly = new KeyRouter().route(range, KeysOnlyCatalog.snapshot(), RouterRelease.DEFAULT);
        String any = "placement: [unsharded, oneShard, manyShards, allShards], certainty: any";

        assertThat(keysOnly.isPlaced()).isFalse();
        assertThat(decide(any, "{find: 'orders'}", keysOnly)).isEqualTo("allow");
        assertThat(decide("minShards: 1, certainty: any", "{find: 'orders'}", keysOnly))
                .isEqualTo("allow");
        assertThat(decide("shape: multiShard", "{find: 'orders'}", keysOnly)).isEqualTo("refuse");
        Route most = new KeyRouter().route(range, declared(), RouterRelease.DEFAULT);
        assertThat(most.isMostPlacement()).isTrue();
        assertThat(decide(any, "{find: 'orders'}", most)).isEqualTo("allow");
        Route all = new KeyRouter().route(command("{find: 'orders'}"), declared(), RouterRelease.DEFAULT);
        assertThat(decide(any, "{find: 'orders'}", all)).isEqualTo("refuse");
    }

    private static CatalogSnapshot declared() {
        String yaml = "listeners: [{upstream: {kind: standalone, hosts: [a]}}]\n"
                + "shardingRules: [{namespace: shop.orders, key: {a: 1}, shards: 3}]";
        return new DeclaredCatalog(ConfigReader.read(yaml, Map.of()).shardingRules(), DeclaredLayout.of(6, 0))
                .apply(CatalogSnapshot.empty());
    }

    /** Certainty is asked for besides, and what the router rejects itself is left to it. */
    @Test
    void onlyWhatIsCertainAndNoError() {
        Route uncertain = RouteFixture.uncertainScatter("shop.c");

        assertThat(decide("placement: allShards", "{find: 'c'}", uncertain)).isEqualTo("allow");
        assertThat(decide("placement: allShards, certainty: any", "{find: 'c'}", uncertain))
                .isEqualTo("refuse");
        assertThat(decide("placement: allShards", "{find: 'c'}", RouteFixture.error("shop.c")))
                .isEqualTo("allow");
    }

    @Test
    void whatReachesAllByItsNatureMustStillBeNamed() {
        Route intrinsic = RouteFixture.intrinsic("shop.c");

        assertThat(decide("placement: allShards", "{aggregate: 'c'}", intrinsic))
                .isEqualTo("allow");
        assertThat(decide("placement: allShards, commands: aggregate", "{aggregate: 'c'}", intrinsic))
                .isEqualTo("refuse");
        assertThat(decide("placement: oneShard, commands: aggregate", "{aggregate: 'c'}", intrinsic))
                .isEqualTo("allow");
    }

    @Test
    void everyNoteCanBeNamed() {
        assertThat(Stream.of(NoteChoice.values()).map(NoteChoice::name))
                .containsExactlyElementsOf(
                        Stream.of(Note.Name.values()).map(Enum::name).toList());
        assertThat(Stream.of(NoteChoice.values()).map(NoteChoice::text))
                .containsExactlyElementsOf(
                        Stream.of(Note.Name.values()).map(Note.Name::text).toList());
    }
}
