package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ChunkVersion;
import io.scatterguard.proxy.catalog.PastPlacement;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.tests.support.LayoutDocuments;
import io.scatterguard.tests.support.LayoutRelease;
import io.scatterguard.tests.support.LayoutTiling;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The documents of every release give the routing tables that they were written from. */
class CatalogLayoutsTest {
    private static final LayoutTiling ORDERS = LayoutTiling.of(
            "shop.orders",
            "{_id: 1}",
            List.of(
                    "{_id: {$oid: '65537f000000000000000000'}}",
                    "{_id: {$oid: '65537f000000000000000001'}}",
                    "{_id: {$oid: '65537f8000000000ffffffff'}}"),
            List.of("a", "b", "a", "c"));
    private static final LayoutTiling COMPOUND = LayoutTiling.of(
                    "shop.customers",
                    "{region: 1, 'address.zip': 1}",
                    List.of(
                            "{region: null, 'address.zip': {$minKey: 1}}",
                            "{region: {$numberDouble: '1.5'}, 'address.zip': 7}",
                            "{region: {$numberDecimal: '1.6'}, 'address.zip': 'x'}",
                            "{region: {$numberLong: '9007199254740993'}, 'address.zip': {$maxKey: 1}}",
                            "{region: 'eu', 'address.zip': {k: [1, 2]}}",
                            "{region: 'eu', 'address.zip': {$date: '2020-01-01T00:00:00Z'}}",
                            "{region: {$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==', subType: '04'}}, 'address.zip': true}"),
                    List.of("a", "a", "b", "c", "a", "b", "b", "c"))
            .with("{unique: true, defaultCollation: {locale: 'fr', strength: 2}}");
    private static final LayoutTiling HASHED = LayoutTiling.of(
            "logs.events",
            "{host: 'hashed', at: 1}",
            List.of(
                    "{host: {$numberLong: '-4611686018427387902'}, at: {$minKey: 1}}",
                    "{host: {$numberLong: '0'}, at: {$minKey: 1}}",
                    "{host: {$numberLong: '4611686018427387902'}, at: {$minKey: 1}}"),
            List.of("a", "b", "c", "a"));
    private static final LayoutTiling BUCKETS = LayoutTiling.of(
                    "logs.system.buckets.weather",
                    "{meta: 1, 'control.min.at': 1}",
                    List.of("{meta: 5, 'control.min.at': {$date: '2023-01-01T00:00:00Z'}}"),
                    List.of("c", "b"))
            .with("{timeseriesFields: {timeField: 'at', metaField: 'sensor', granularity: 'hours',"
                    + " bucketMaxSpanSeconds: 2592000}}");
    private static final LayoutTiling TRACKED =
            LayoutTiling.of("shop.notes", "{_id: 1}", List.of(), List.of("c")).with("{unsplittable: true}");
    private static final LayoutTiling LARGE = LayoutTiling.of(
            "shop.large",
            "{n: 1}",
            IntStream.range(0, 3_000).mapToObj(i -> "{n: " + 7 * i + "}").toList(),
            IntStream.range(0, 3_001)
                    .mapToObj(i -> List.of("a", "b", "c").get(i * 7 % 11 % 3))
                    .toList());

    static List<LayoutTiling> tilings(LayoutRelease release) {
        List<LayoutTiling> tilings = new ArrayList<>(List.of(ORDERS, COMPOUND, HASHED, LARGE));
        if (release.compareTo(LayoutRelease.V6_0) >= 0) {
            tilings.add(BUCKETS);
        }
        if (release.compareTo(LayoutRelease.V8_0) >= 0) {
            tilings.add(TRACKED);
        }
        return tilings;
    }

    static LayoutDocuments documents(LayoutRelease release) {
        LayoutDocuments documents = LayoutDocuments.of(release, "a", "b", "c")
                .database("shop", "b")
                .database("logs", "a")
                .dropped("shop.gone")
                .draining("b")
                .zone("far", ORDERS, 3)
                .zone("near", COMPOUND, 1);
        tilings(release).forEach(documents::collection);
        return documents;
    }

    @ParameterizedTest
    @EnumSource
    void givesTheTablesOfTheTilings(LayoutRelease release) {
        CatalogSnapshot snapshot = documents(release).build().snapshot();

        assertThat(snapshot.unknown()).isEmpty();
        assertThat(snapshot.registry().ids()).containsExactly("a", "b", "c");
        assertThat(snapshot.tables()).hasSameSizeAs(tilings(release));
        for (LayoutTiling tiling : tilings(release)) {
            RoutingTable table = snapshot.table(Namespace.parse(tiling.namespace()));
            assertThat(table).as("%s in %s", tiling.namespace(), release).isNotNull();
            assertIs(tiling, table, snapshot.registry().ids());
        }
    }

    private static void assertIs(LayoutTiling tiling, RoutingTable table, List<String> shards) {
        int chunks = tiling.owners().size();
        assertThat(table.chunkCount()).isEqualTo(chunks);
        int last = chunks - 1;
        assertThat(table.version()).isEqualTo(new ChunkVersion(1 + last / 4, last % 4));
        for (int i = 0; i < chunks; i++) {
            byte[] min = KeyBytes.ofValues(BsonView.encode(tiling.min(i)));
            assertThat(table.min(i)).isEqualTo(min);
            assertThat(table.chunkOf(min)).isEqualTo(i);
            assertThat(shards.get(table.owner(i))).isEqualTo(tiling.owners().get(i));
            assertThat(shards.get(table.shardOf(min))).isEqualTo(tiling.owners().get(i));
        }
    }

    /** 50 s before a chunk came to its owner, the next shard had it, or nobody knows who did. */
    @ParameterizedTest
    @EnumSource
    void givesThePlacementOfEarlierTimes(LayoutRelease release) {
        CatalogSnapshot snapshot = documents(release).build().snapshot();
        RoutingTable table = snapshot.table(Namespace.parse(COMPOUND.namespace()));
        List<String> shards = snapshot.registry().ids();

        PastPlacement past = table.at(new BsonTimestamp(LayoutDocuments.SECOND - 50, 0).getValue());

        assertThat(past.followed()).isTrue();
        assertThat(past.certain()).isFalse();
        for (int i = 0; i < table.chunkCount(); i++) {
            int owner = table.owner(i);
            int before = i % 3 == 0 ? owner : (owner + 1) % shards.size();
            assertThat(past.table().owner(i)).as("chunk %d", i).isEqualTo(before);
        }
        assertThat(table.isUnchangedSince(new BsonTimestamp(LayoutDocuments.SECOND, 1).getValue()))
                .isTrue();
        assertThat(table.isUnchangedSince(new BsonTimestamp(LayoutDocuments.SECOND, 0).getValue()))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"V7_0", "V8_0"})
    void aConfigServerCanOwnChunks(LayoutRelease release) {
        LayoutTiling tiling = LayoutTiling.of("shop.c", "{a: 1}", List.of("{a: 0}"), List.of("config", "a"));

        CatalogSnapshot snapshot = LayoutDocuments.of(release, "config", "a")
                .database("shop", "config")
                .collection(tiling)
                .build()
                .snapshot();

        assertIs(tiling, snapshot.table(Namespace.parse("shop.c")), List.of("config", "a"));
    }

    /** What the documents are tested with must itself be of the release's form. */
    @Test
    void theFormsAreThoseOfTheReleases() {
        List<BsonDocument> old = documents(LayoutRelease.V4_4).build().chunks();
        List<BsonDocument> present = documents(LayoutRelease.V7_0).build().chunks();

        assertThat(old).allMatch(chunk -> chunk.containsKey("ns") && chunk.containsKey("lastmodEpoch"));
        assertThat(old).noneMatch(chunk -> chunk.containsKey("uuid"));
        assertThat(present).allMatch(chunk -> chunk.containsKey("uuid") && chunk.containsKey("onCurrentShardSince"));
        assertThat(present).noneMatch(chunk -> chunk.containsKey("ns") || chunk.containsKey("lastmodEpoch"));
        assertThat(Stream.of(LayoutRelease.values())
                        .map(release ->
                                documents(release).build().collections().get(0).containsKey("dropped")))
                .containsExactly(true, false, false, false, false);
        assertThatThrownBy(() ->
                        LayoutDocuments.of(LayoutRelease.V7_0, "a", "b", "c").collection(TRACKED))
                .hasMessage("an unsplittable collection: release v7.0 (expected: at least v8.0)");
    }
}
