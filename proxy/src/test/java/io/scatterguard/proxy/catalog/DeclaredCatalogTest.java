package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.KeyBytesDecoder;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.config.ShardingRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclaredCatalogTest {
    private static final DeclaredLayout NEWEST_KNOWN = DeclaredLayout.of(8, 0);
    private static final CatalogSnapshot NOTHING =
            CatalogLoad.ofNothing(Instant.EPOCH).snapshot();

    private static DeclaredCatalog declared(String rules, DeclaredLayout layout) {
        return new DeclaredCatalog(RulesFile.parse("shardingRules:\n" + rules, "rules.yaml"), layout);
    }

    private static CatalogSnapshot alone(String rules) {
        return declared(rules, NEWEST_KNOWN).apply(NOTHING);
    }

    private static RoutingTable table(CatalogSnapshot catalog, String namespace) {
        RoutingTable table = catalog.table(Namespace.parse(namespace));
        assertThat(table).as(namespace).isNotNull();
        return table;
    }

    /** Every chunk as its lower end, by the values alone, and the id of its shard. */
    private static List<String> chunks(CatalogSnapshot catalog, RoutingTable table) {
        List<String> chunks = new ArrayList<>();
        for (int i = 0; i < table.chunkCount(); i++) {
            List<String> values = new ArrayList<>();
            for (BsonValue value : KeyBytesDecoder.decode(table.min(i))) {
                values.add(
                        value.isNumber()
                                ? Long.toString(value.asNumber().longValue())
                                : value.isString()
                                        ? value.asString().getValue()
                                        : value.getBsonType().toString());
            }
            chunks.add(
                    String.join(" ", values) + ": " + catalog.registry().ids().get(table.owner(i)));
        }
        return chunks;
    }

    @Test
    void dealsTheChunksBetweenSplitPointsInTurn() {
        CatalogSnapshot catalog = alone("""
                - namespace: shop.orders
                  key: {customer: 1, number: 1}
                  unique: true
                  collation: {locale: en, strength: 2}
                  shards: 2
                  splitAt: [{customer: 10, number: {$minKey: 1}}, {customer: 10, number: 5}, {customer: m, number: 1}]
                """);
        RoutingTable orders = table(catalog, "shop.orders");

        assertThat(chunks(catalog, orders))
                .containsExactly("MIN_KEY MIN_KEY: shard-1", "10 MIN_KEY: shard-2", "10 5: shard-1", "m 1: shard-2");
        assertThat(orders.collection().unique()).isTrue();
        assertThat(orders.collection().declared()).isTrue();
        assertThat(orders.collection().defaultCollation()).isEqualTo(BsonDocument.parse("{locale: 'en', strength: 2}"));
        assertThat(orders.boundsKnown()).isTrue();
        assertThat(orders.version()).isEqualTo(ChunkVersion.NONE);
        assertThat(catalog.registry().ids()).containsExactly("shard-1", "shard-2");
        assertThat(catalog.registry().registered().size()).isEqualTo(2);
        assertThat(catalog.primary("shop")).isZero();
        assertThat(catalog.primary("another")).isZero();
    }

    @Test
    void takesDeclaredChunksAsTheyAre() {
        CatalogSnapshot catalog = alone("""
                - namespace: shop.users
                  key: {email: 1}
                  chunks:
                    - {min: {email: {$minKey: 1}}, shard: west}
                    - {min: {email: m}, shard: east}
                    - {min: {email: t}, shard: west}
                - {namespace: shop.plain, unsplittable: east}
                - {database: shop, primary: north}
                - {namespace: shop.other, key: {a: 1}, shards: 4}
                """);

        assertThat(chunks(catalog, table(catalog, "shop.users")))
                .containsExactly("MIN_KEY: west", "m: east", "t: west");
        assertThat(chunks(catalog, table(catalog, "shop.plain"))).containsExactly("MIN_KEY: east");
        assertThat(table(catalog, "shop.plain").collection().unsplittable()).isTrue();
        // Those that are named come first, and the virtual ones fill up by their positions.
        assertThat(catalog.registry().ids()).containsExactly("west", "east", "north", "shard-4");
        assertThat(catalog.registry().ids().get(catalog.primary("shop"))).isEqualTo("north");
        assertThat(catalog.registry().ids().get(catalog.primary("another"))).isEqualTo("west");
    }

    @Test
    void theShardsOfTheClusterToComeAreThoseThatAreDeclared() {
        String rules = """
                - {namespace: shop.items, key: {sku: 1}, shards: 4}
                - {database: shop, primary: else}
                - clusterShards: [c, b, a]
                """;
        CatalogSnapshot catalog = alone(rules);

        assertThat(catalog.registry().ids()).containsExactly("c", "b", "a", "else");
        assertThat(catalog.registry().names(catalog.registry().registered())).containsExactly("c", "b", "a");
        assertThat(catalog.registry().names(table(catalog, "shop.items").owningShards()))
                .containsExactly("c", "b", "a", "else");
        assertThat(catalog.primary("another")).isZero();

        DeclaredCatalog declared = declared("- clusterShards: [c, b, a]\n", NEWEST_KNOWN);
        CatalogSnapshot cluster = cluster(Map.of());
        assertThat(declared.apply(cluster).registry()).isEqualTo(cluster.registry());
        assertThat(declared.differences(cluster)).isEmpty();
    }

    @Test
    void aTimeSeriesCollectionThatIsNotSplitKeepsTheKeyOfItsBuckets() {
        CatalogSnapshot catalog =
                alone("- {namespace: iot.moved, unsplittable: b, timeseries: {timeField: at, metaField: sensor}}");
        RoutingTable moved = table(catalog, "iot.system.buckets.moved");

        assertThat(moved.shardKey()).hasToString("{_id: 1}");
        assertThat(moved.collection().unsplittable()).isTrue();
        assertThat(moved.collection().timeseriesFields()).isNotNull();
        assertThat(chunks(catalog, moved)).containsExactly("MIN_KEY: b");
    }

    @Test
    void ofUnknownBoundsAKeyIsOnOneShardAndARangeOnAll() {
        CatalogSnapshot catalog = alone("- {namespace: shop.items, key: {sku: 1, part: hashed}, shards: 4}");
        RoutingTable items = table(catalog, "shop.items");

        assertThat(items.boundsKnown()).isFalse();
        assertThat(items.owningShards().size()).isEqualTo(4);
        assertThat(items.owners(0, 0)).isEqualTo(items.owningShards());
        assertThat(items.typesOf(0)).isEmpty();
        int[] found = new int[4];
        for (int sku = 0; sku < 4_000; sku++) {
            byte[] key = Keys.of(BsonDocument.parse("{sku: " + sku + ", part: {$numberLong: '7'}}"));
            assertThat(items.shardOf(key)).isEqualTo(items.shardOf(key.clone()));
            found[items.shardOf(key)]++;
        }
        for (int count : found) {
            assertThat(count).isBetween(700, 1_300);
        }
    }

    @Test
    void oneShardLeavesNothingUnknown() {
        CatalogSnapshot catalog = alone("- {namespace: shop.items, key: {sku: 1}, shards: 1}");

        assertThat(table(catalog, "shop.items").boundsKnown()).isTrue();
        assertThat(chunks(catalog, table(catalog, "shop.items"))).containsExactly("MIN_KEY: shard-1");
    }

    @ParameterizedTest
    @CsvSource({
        "5, 0, 2, '-4611686018427387902 MIN_KEY: shard-1|0 MIN_KEY: shard-2|4611686018427387902 MIN_KEY: shard-2'",
        "7, 1, 1, '0 MIN_KEY: shard-1'",
        "7, 2, 3, '-3074457345618258602 MIN_KEY: shard-2|3074457345618258602 MIN_KEY: shard-3'",
        "8, 0, 2, '0 MIN_KEY: shard-2'",
        "8, 0, 4, '-4611686018427387902 MIN_KEY: shard-2|0 MIN_KEY: shard-3|4611686018427387902 MIN_KEY: shard-4'",
        "8, 0, 5, '-5534023222112865483 MIN_KEY: shard-2|-1844674407370955161 MIN_KEY: shard-3"
                + "|1844674407370955161 MIN_KEY: shard-4|5534023222112865483 MIN_KEY: shard-5'"
    })
    void splitsHashedKeysWhereTheServerDoes(int major, int minor, int shards, String expected) {
        CatalogSnapshot catalog = declared(
                        "- {namespace: shop.items, key: {sku: hashed, part: 1}, shards: " + shards + "}",
                        DeclaredLayout.of(major, minor))
                .apply(NOTHING);
        List<String> chunks = new ArrayList<>(List.of("MIN_KEY MIN_KEY: shard-1"));
        chunks.addAll(List.of(expected.split("\\|")));

        assertThat(chunks(catalog, table(catalog, "shop.items"))).containsExactlyElementsOf(chunks);
    }

    @ParameterizedTest
    @CsvSource({"3,false,3", "1,true,1"})
    void aHashedKeyMayHaveUnknownBoundsAsWell(int shards, boolean known, int owning) {
        CatalogSnapshot catalog =
                alone("- {namespace: shop.items, key: {sku: hashed}, bounds: unknown, shards: " + shards + "}");
        RoutingTable items = table(catalog, "shop.items");
        assertThat(items.boundsKnown()).isEqualTo(known);
        assertThat(items.owningShards().size()).isEqualTo(owning);
    }

    @Test
    void hashedSplitsAscendAndAreSymmetric() {
        for (int chunks = 1; chunks <= 2_000; chunks++) {
            long[] points = HashedSplits.between(chunks);
            assertThat(points).hasSize(chunks - 1);
            for (int i = 0; i < points.length; i++) {
                assertThat(points[i]).isEqualTo(-points[points.length - 1 - i]);
                assertThat(i == 0 || points[i - 1] < points[i]).isTrue();
            }
        }
    }

    @Test
    void tracksATimeSeriesCollectionByItsBuckets() {
        String rule = """
                - namespace: iot.readings
                  key: {sensor.id: 1, at: 1}
                  timeseries: {timeField: at, metaField: sensor, granularity: hours}
                  splitAt: [{sensor.id: 5, at: {$date: "2026-01-01T00:00:00Z"}}]
                """;
        RoutingTable buckets = table(alone(rule), "iot.system.buckets.readings");

        assertThat(buckets.shardKey()).hasToString("{meta.id: 1, control.min.at: 1}");
        assertThat(buckets.collection().timeseriesFields())
                .isEqualTo(BsonDocument.parse("{timeField: 'at', metaField: 'sensor', granularity: 'hours'}"));
        assertThat(buckets.chunkCount()).isEqualTo(2);
        CatalogSnapshot viewless = declared(rule, DeclaredLayout.of(9, 0)).apply(NOTHING);
        assertThat(table(viewless, "iot.readings").shardKey()).isEqualTo(buckets.shardKey());
        assertThat(viewless.tables()).hasSize(1);
    }

    @Test
    void followsViewsOverEachOtherAndOverThoseOfTheCluster() {
        ResolvedView below = ViewResolver.resolve(List.of(
                        BsonDocument.parse("{_id: 'shop.recent', viewOn: 'orders', pipeline: [{$match: {a: 1}}]}")))
                .views()
                .get(Namespace.parse("shop.recent"));
        CatalogSnapshot cluster = cluster(Map.of(Namespace.parse("shop.recent"), below));
        CatalogSnapshot catalog = declared("""
                - {namespace: shop.open, viewOn: shop.recent, pipeline: [{$match: {b: 2}}]}
                - {namespace: shop.top, viewOn: shop.open, pipeline: [{$limit: 3}]}
                - {namespace: shop.round, viewOn: shop.about}
                - {namespace: shop.about, viewOn: shop.round}
                """, NEWEST_KNOWN).apply(cluster);

        ResolvedView top = catalog.view(Namespace.parse("shop.top"));
        assertThat(top).isNotNull();
        assertThat(top.underlying()).isEqualTo(Namespace.parse("shop.orders"));
        assertThat(top.pipeline().toBsonValue())
                .isEqualTo(BsonDocument.parse("{p: [{$match: {a: 1}}, {$match: {b: 2}}, {$limit: 3}]}")
                        .get("p"));
        assertThat(catalog.view(Namespace.parse("shop.recent"))).isEqualTo(below);
        assertThat(catalog.isUnknown(Namespace.parse("shop.round"))).isTrue();
    }

    private static CatalogSnapshot cluster(Map<Namespace, ResolvedView> views) {
        RawCatalog raw = CatalogDump.read("""
                {shards: [{_id: 'a'}, {_id: 'b'}], databases: [{_id: 'shop', primary: 'b'}],
                 collections: [{_id: 'shop.orders', key: {number: 1}}, {_id: 'shop.kept', key: {x: 1}},
                   {_id: 'shop.system.buckets.ts', key: {meta: 1}, timeseriesFields: {timeField: 't', metaField: 'm'}}],
                 chunks: [
                   {ns: 'shop.orders', min: {number: {$minKey: 1}}, max: {number: 5}, shard: 'a', lastmod: {$timestamp: {t: 1, i: 0}}},
                   {ns: 'shop.orders', min: {number: 5}, max: {number: {$maxKey: 1}}, shard: 'b', lastmod: {$timestamp: {t: 1, i: 1}}},
                   {ns: 'shop.kept', min: {x: {$minKey: 1}}, max: {x: {$maxKey: 1}}, shard: 'b', lastmod: {$timestamp: {t: 1, i: 0}}},
                   {ns: 'shop.system.buckets.ts', min: {meta: {$minKey: 1}}, max: {meta: {$maxKey: 1}}, shard: 'b',
                    lastmod: {$timestamp: {t: 1, i: 0}}}]}
                """);
        CatalogSnapshot built = CatalogBuilder.build(raw, ShardRegistry.empty(), Instant.EPOCH);
        return new CatalogSnapshot(
                built.loadedAt(),
                true,
                built.registry(),
                built.primaries(),
                built.tables(),
                Set.of(Namespace.parse("shop.broken"), Namespace.parse("shop.lost")),
                views,
                built.clusterParameters());
    }

    @Test
    void countsOverWhatTheClusterSays() {
        CatalogSnapshot cluster = cluster(Map.of());
        DeclaredCatalog declared = declared("""
                - {namespace: shop.orders, key: {customer: 1}, shards: 3}
                - {namespace: shop.added, key: {y: hashed}, shards: 2}
                - {namespace: shop.ts, key: {m: 1}, timeseries: {timeField: t, metaField: m}, shards: 1}
                - {namespace: shop.broken, key: {z: 1}}
                - {database: shop, primary: a}
                - {database: new, primary: nowhere}
                """, DeclaredLayout.of(9, 0));
        CatalogSnapshot catalog = declared.apply(cluster);

        assertThat(table(catalog, "shop.orders").shardKey()).hasToString("{customer: 1}");
        assertThat(catalog.registry().names(table(catalog, "shop.orders").owningShards()))
                .containsExactly("a", "b", "shard-3");
        assertThat(chunks(catalog, table(catalog, "shop.added"))).containsExactly("MIN_KEY: a", "0: b");
        assertThat(table(catalog, "shop.kept")).isSameAs(table(cluster, "shop.kept"));
        assertThat(table(catalog, "shop.ts").collection().declared()).isTrue();
        assertThat(catalog.table(Namespace.parse("shop.system.buckets.ts"))).isNull();
        assertThat(catalog.isUnknown(Namespace.parse("shop.broken"))).isFalse();
        assertThat(catalog.isUnknown(Namespace.parse("shop.lost"))).isTrue();
        assertThat(catalog.primary("shop")).isZero();
        assertThat(catalog.primary("none")).isEqualTo(-1);
        // Broadcasts of what nobody declared still reach the cluster's shards only.
        assertThat(catalog.registry().names(catalog.registry().registered())).containsExactly("a", "b");
        assertThat(declared.differences(cluster))
                .containsExactlyInAnyOrder(
                        "shop.orders: judged by the declared key {customer: 1}, not by the cluster's {number: 1}",
                        "shop.ts: judged by the declared key {m: 1}, not by the cluster's {meta: 1}",
                        "shop: the declared primary is a, not the cluster's b",
                        "new: names shard nowhere, which the cluster does not have");
    }

    @Test
    void laysTheSameTablesOverEverySnapshotOfTheSameShards() {
        DeclaredCatalog declared = declared("- {namespace: shop.added, key: {y: 1}}", NEWEST_KNOWN);
        CatalogSnapshot cluster = cluster(Map.of());
        CatalogSnapshot first = declared.apply(cluster);
        CatalogSnapshot second = declared.apply(cluster(Map.of()));

        assertThat(table(first, "shop.added")).isSameAs(table(second, "shop.added"));
        assertThat(cluster.table(Namespace.parse("shop.added"))).isNull();
        assertThatThrownBy(() -> second.tables().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> second.primaries().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(declared.apply(NOTHING).registry().ids()).hasSize(3).doesNotContain("a");
        assertThat(table(first, "shop.added").owningShards().size()).isEqualTo(3);
    }

    @Test
    void ofAClusterThatIsNotLoadedOnlyWhatIsDeclaredIsKnown() {
        DeclaredCatalog declared = declared("""
                - {namespace: shop.added, key: {y: 1}, shards: 2}
                - {namespace: shop.times, key: {m: 1}, timeseries: {timeField: t, metaField: m}}
                """, NEWEST_KNOWN);
        CatalogSnapshot before = declared.apply(CatalogSnapshot.empty());

        assertThat(before.complete()).isFalse();
        assertThat(before.isUnknown(Namespace.parse("shop.added"))).isFalse();
        assertThat(before.isUnknown(Namespace.parse("shop.system.buckets.times")))
                .isFalse();
        assertThat(before.isUnknown(Namespace.parse("shop.other"))).isTrue();
        assertThat(table(before, "shop.added").owningShards().size()).isEqualTo(2);
        assertThat(before.registry().registered().size())
                .as("the cluster's own shards are not known")
                .isZero();
        assertThat(before.primary("shop")).isEqualTo(-1);
        assertThat(declared.differences(CatalogSnapshot.empty())).isEmpty();

        assertThat(declared.apply(NOTHING).registry().registered().size())
                .as("there is no cluster")
                .isEqualTo(3);
        CatalogSnapshot loaded = declared.apply(cluster(Map.of()));
        assertThat(loaded.registry().names(table(loaded, "shop.added").owningShards()))
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aSnapshotBeforeTheFirstReadingIsUnderTheRulesToo() {
        try (CatalogRefresher refresher = new CatalogRefresher(
                new FakeCatalogSource(),
                Duration.ofHours(1),
                false,
                declared("- {namespace: shop.added, key: {y: 1}}", NEWEST_KNOWN))) {
            assertThat(table(refresher.current(), "shop.added").shardKey()).hasToString("{y: 1}");
        }
    }

    @Test
    void theLaterOfTwoRulesCounts() {
        List<ShardingRule> rules = new ArrayList<>();
        rules.addAll(RulesFile.parse("shardingRules: [{namespace: a.b, key: {x: 1}}]", "file"));
        rules.addAll(RulesFile.parse("shardingRules: [{namespace: a.b, key: {y: 1}}]", "config"));
        CatalogSnapshot catalog = new DeclaredCatalog(rules, NEWEST_KNOWN).apply(NOTHING);

        assertThat(table(catalog, "a.b").shardKey()).hasToString("{y: 1}");
    }

    /** Key bytes of whole keys. */
    private static final class Keys {
        static byte[] of(BsonDocument key) {
            return KeyBytes.ofValues(BsonView.encode(key));
        }
    }

    @Test
    void hashedBoundsAreSixtyFourBitIntegers() {
        CatalogSnapshot catalog =
                alone("- {namespace: a.b, key: {x: hashed}, splitAt: [{x: -7}, {x: 9007199254740993}]}");
        RoutingTable table = table(catalog, "a.b");

        assertThat(table.chunkOf(Keys.of(new BsonDocument("x", new BsonInt64(9_007_199_254_740_992L)))))
                .isEqualTo(1);
        assertThat(table.chunkOf(Keys.of(new BsonDocument("x", new BsonInt64(9_007_199_254_740_993L)))))
                .isEqualTo(2);
    }
}
