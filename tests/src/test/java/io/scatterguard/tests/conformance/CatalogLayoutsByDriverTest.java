package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ChunkVersion;
import io.scatterguard.proxy.catalog.MongoCatalogSource;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.tests.support.LayoutDocuments;
import io.scatterguard.tests.support.LayoutRelease;
import io.scatterguard.tests.support.LayoutTiling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Through the driver, from a server that holds the documents of each release, the tables are those of the tilings: when they
 * are loaded, and by what changed of them afterwards.
 */
@Timeout(180)
class CatalogLayoutsByDriverTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static CatalogRefresher refresher(LayoutServer server) {
        return new CatalogRefresher(MongoCatalogSource.open(server.uri()), Duration.ofHours(1));
    }

    /** A sweep, and a use of every tracked collection, so that all of them are loaded or asked for what changed. */
    private static CatalogSnapshot refreshed(CatalogRefresher refresher) {
        assertThat(refresher.refreshNow()).succeedsWithin(LONG);
        List<Namespace> tracked = List.copyOf(refresher.current().tracked().keySet());
        assertThat(refresher.load(tracked)).succeedsWithin(LONG);
        assertThat(refresher.status().problems()).isEmpty();
        return refresher.current();
    }

    private static void assertIs(LayoutTiling tiling, CatalogSnapshot snapshot) {
        RoutingTable table = snapshot.table(Namespace.parse(tiling.namespace()));
        assertThat(table).as(tiling.namespace()).isNotNull();
        assertThat(table.chunkCount())
                .as(tiling.namespace())
                .isEqualTo(tiling.owners().size());
        assertThat(table.collection().unsplittable()).isEqualTo(tiling.options().containsKey("unsplittable"));
        assertThat(table.collection().timeseriesFields())
                .isEqualTo(tiling.options().get("timeseriesFields"));
        List<String> shards = snapshot.registry().ids();
        for (int i = 0; i < table.chunkCount(); i++) {
            byte[] min = KeyBytes.ofValues(BsonView.encode(tiling.min(i)));
            assertThat(table.min(i)).isEqualTo(min);
            assertThat(shards.get(table.owner(i))).isEqualTo(tiling.owners().get(i));
            assertThat(shards.get(table.shardOf(min))).isEqualTo(tiling.owners().get(i));
        }
    }

    private static ChunkVersion version(CatalogSnapshot snapshot, LayoutTiling tiling) {
        return snapshot.table(Namespace.parse(tiling.namespace())).version();
    }

    @ParameterizedTest
    @EnumSource
    void theTablesAreThoseOfTheTilings(LayoutRelease release) {
        try (LayoutServer server = new LayoutServer(
                        release, CatalogLayoutsTest.documents(release).build());
                CatalogRefresher refresher = refresher(server)) {
            CatalogSnapshot snapshot = refreshed(refresher);

            List<LayoutTiling> tilings = CatalogLayoutsTest.tilings(release);
            assertThat(snapshot.tables()).hasSameSizeAs(tilings);
            assertThat(snapshot.unknown()).isEmpty();
            assertThat(snapshot.registry().names(snapshot.registry().registered()))
                    .as("one of them is drained")
                    .containsExactly("a", "b", "c");
            assertThat(snapshot.registry().ids().get(snapshot.primary("shop"))).isEqualTo("b");
            for (LayoutTiling tiling : tilings) {
                int last = tiling.owners().size() - 1;
                assertIs(tiling, snapshot);
                assertThat(version(snapshot, tiling)).isEqualTo(new ChunkVersion(1 + last / 4, last % 4));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V7_0", "V8_0"})
    void aConfigServerThatIsAShardOwnsChunks(LayoutRelease release) {
        LayoutTiling tiling = LayoutTiling.of("shop.c", "{a: 1}", List.of("{a: 0}"), List.of("config", "a"));
        LayoutDocuments documents = LayoutDocuments.of(release, "config", "a")
                .database("shop", "config")
                .collection(tiling);
        try (LayoutServer server = new LayoutServer(release, documents.build());
                CatalogRefresher refresher = refresher(server)) {
            assertIs(tiling, refreshed(refresher));
        }
    }

    /** A collection of one field whose tiling a test changes, in a cluster with others. */
    private static final LayoutTiling BEFORE = LayoutTiling.of(
            "shop.changing", "{n: 1}", List.of("{n: 10}", "{n: 20}", "{n: 30}"), List.of("a", "b", "a", "c"));

    private static LayoutTiling tiling(String key, List<String> splits, List<String> owners) {
        return LayoutTiling.of("shop.changing", key, splits, owners);
    }

    @ParameterizedTest
    @EnumSource
    void changesAreReadAsChangesAndGiveTheNewTilings(LayoutRelease release) {
        LayoutDocuments documents = CatalogLayoutsTest.documents(release).collection(BEFORE);
        try (LayoutServer server = new LayoutServer(release, documents.build());
                CatalogRefresher refresher = refresher(server)) {
            assertIs(BEFORE, refreshed(refresher));
            long fullLoads = refresher.status().counters().fullLoads();

            // A migration gives the moved chunk, and one that stays with the donor, a new major version.
            LayoutTiling moved =
                    tiling("{n: 1}", List.of("{n: 10}", "{n: 20}", "{n: 30}"), List.of("a", "b", "b", "c"));
            server.write(moved, 2, 7, 0);
            server.write(moved, 0, 7, 1);
            assertIs(moved, refreshed(refresher));

            LayoutTiling split = tiling(
                    "{n: 1}", List.of("{n: 10}", "{n: 13}", "{n: 20}", "{n: 30}"), List.of("a", "b", "b", "b", "c"));
            server.write(split, 1, 7, 2);
            server.write(split, 2, 7, 3);
            assertIs(split, refreshed(refresher));

            // Merging leaves one chunk where three were.
            LayoutTiling merged = tiling("{n: 1}", List.of("{n: 10}", "{n: 30}"), List.of("a", "b", "c"));
            server.erase(split, 2);
            server.erase(split, 3);
            server.write(merged, 1, 7, 4);
            CatalogSnapshot after = refreshed(refresher);
            assertIs(merged, after);
            assertThat(version(after, merged)).isEqualTo(new ChunkVersion(7, 4));
            assertThat(refresher.status().counters().fullLoads())
                    .as("read in full")
                    .isEqualTo(fullLoads);
            for (LayoutTiling other : CatalogLayoutsTest.tilings(release)) {
                assertIs(other, after);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherLifeIsReadInFull(LayoutRelease release) {
        LayoutDocuments documents = CatalogLayoutsTest.documents(release).collection(BEFORE);
        try (LayoutServer server = new LayoutServer(release, documents.build());
                CatalogRefresher refresher = refresher(server)) {
            assertIs(BEFORE, refreshed(refresher));

            LayoutTiling refined = LayoutServer.refined(BEFORE, "m");
            server.replace(refined, true);
            assertIs(refined, refreshed(refresher));

            List<String> splits = new ArrayList<>(List.of("{m: {$numberLong: '-5'}}", "{m: {$numberLong: '5'}}"));
            LayoutTiling resharded = tiling("{m: 'hashed'}", splits, List.of("c", "a", "b"));
            server.replace(resharded, false);
            CatalogSnapshot after = refreshed(refresher);
            assertIs(resharded, after);
            assertThat(after.table(Namespace.parse("shop.changing")).shardKey().hasHashedField())
                    .isTrue();

            server.drop("shop.changing");
            CatalogSnapshot dropped = refreshed(refresher);
            assertThat(dropped.tracked()).doesNotContainKey(Namespace.parse("shop.changing"));
            assertThat(dropped.isUnknown(Namespace.parse("shop.changing"))).isFalse();
            for (LayoutTiling other : CatalogLayoutsTest.tilings(release)) {
                assertIs(other, dropped);
            }
        }
    }

    /** A time-series collection is split, and one that is not sharded moved, like any other. */
    @ParameterizedTest
    @EnumSource(names = {"V8_0"})
    void bucketsAndUnsplittableCollectionsChangeToo(LayoutRelease release) {
        LayoutTiling notes = LayoutTiling.of("shop.notes", "{_id: 1}", List.of(), List.of("a"))
                .with("{unsplittable: true}");
        LayoutTiling buckets = CatalogLayoutsTest.tilings(release).stream()
                .filter(tiling -> tiling.options().containsKey("timeseriesFields"))
                .findFirst()
                .orElseThrow();
        List<BsonDocument> splits = new ArrayList<>(buckets.splits());
        splits.add(BsonDocument.parse("{meta: 9, 'control.min.at': {$date: '2024-01-01T00:00:00Z'}}"));
        LayoutTiling split =
                new LayoutTiling(buckets.namespace(), buckets.key(), splits, List.of("c", "b", "b"), buckets.options());
        try (LayoutServer server = new LayoutServer(
                        release, CatalogLayoutsTest.documents(release).build());
                CatalogRefresher refresher = refresher(server)) {
            refreshed(refresher);
            long fullLoads = refresher.status().counters().fullLoads();
            server.write(notes, 0, 5, 0);
            server.write(split, 1, 5, 0);
            server.write(split, 2, 5, 1);

            CatalogSnapshot after = refreshed(refresher);

            assertIs(notes, after);
            assertIs(split, after);
            assertThat(refresher.status().counters().fullLoads()).isEqualTo(fullLoads);
        }
    }
}
