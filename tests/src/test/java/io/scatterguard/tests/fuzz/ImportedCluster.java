package io.scatterguard.tests.fuzz;

import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.LayoutDocuments;
import io.scatterguard.tests.support.LayoutRelease;
import io.scatterguard.tests.support.LayoutTiling;
import java.time.Instant;
import java.util.List;
import org.bson.BsonDocument;

/**
 * A cluster of any release from 5.0 on with a collection of every kind in the database {@code test}: {@code c} of a random layout,
 * {@code d} hashed, {@code ts} time-series (6.0 and later), {@code moved} and the time-series {@code movedTs} tracked and not
 * sharded (8.0), {@code plain} not tracked; the views {@code v} on {@code c}, {@code w} on {@code v}, {@code p} on {@code plain}.
 * Some shards own nothing.
 */
record ImportedCluster(LayoutRelease release, Layout layout, RawCatalog raw) {
    static final List<LayoutRelease> RELEASES =
            List.of(LayoutRelease.V5_0, LayoutRelease.V6_0, LayoutRelease.V7_0, LayoutRelease.V8_0);

    private static final List<BsonDocument> VIEWS = List.of(
            BsonDocument.parse("{_id: 'test.v', viewOn: 'c', pipeline: [{$match: {x: 1}}]}"),
            BsonDocument.parse(
                    "{_id: 'test.w', viewOn: 'v', pipeline: [{$project: {z: 0}}], collation: {locale: 'fr'}}"),
            BsonDocument.parse("{_id: 'test.p', viewOn: 'plain', pipeline: []}"));

    static ImportedCluster of(Dice dice, Layout layout) {
        LayoutRelease release = dice.oneOf(RELEASES);
        List<String> shards = layout.registry();
        LayoutDocuments documents = LayoutDocuments.of(release, shards.toArray(String[]::new))
                .database("test", dice.oneOf(shards))
                .database("other", dice.oneOf(shards))
                .collection(tiling(layout))
                .collection(LayoutTiling.of(
                        "test.d",
                        "{a: 'hashed', b: 1}",
                        List.of("{a: {$numberLong: '0'}, b: {$minKey: 1}}", "{a: {$numberLong: '77'}, b: 'x'}"),
                        List.of(dice.oneOf(shards), dice.oneOf(shards), dice.oneOf(shards))));
        if (release.compareTo(LayoutRelease.V6_0) >= 0) {
            documents.collection(LayoutTiling.of(
                            "test.system.buckets.ts",
                            "{'meta.b': 1, 'control.min.t': 1}",
                            List.of("{'meta.b': 5, 'control.min.t': {$date: '2026-01-01T00:00:00Z'}}"),
                            List.of(dice.oneOf(shards), dice.oneOf(shards)))
                    .with("{timeseriesFields: {timeField: 't', metaField: 'a', granularity: 'hours',"
                            + " bucketMaxSpanSeconds: 2592000, bucketRoundingSeconds: 86400}}"));
        }
        if (release.compareTo(LayoutRelease.V8_0) >= 0) {
            documents.collection(LayoutTiling.of("test.moved", "{_id: 1}", List.of(), List.of(dice.oneOf(shards)))
                    .with("{unsplittable: true}"));
            documents.collection(
                    LayoutTiling.of("test.system.buckets.movedTs", "{_id: 1}", List.of(), List.of(dice.oneOf(shards)))
                            .with("{unsplittable: true, timeseriesFields: {timeField: 't', metaField: 'a'}}"));
        }
        CatalogDocuments built = documents.build();
        RawCatalog raw = new RawCatalog(
                built.shards(), built.databases(), built.collections(), built.chunks(), List.of(), VIEWS, List.of());
        return new ImportedCluster(release, layout, raw);
    }

    private static LayoutTiling tiling(Layout layout) {
        BsonDocument vector = layout.vector();
        List<BsonDocument> mins = vector.getArray("chunks").stream()
                .map(chunk -> chunk.asDocument().getDocument("min"))
                .toList();
        BsonDocument options = new BsonDocument();
        if (layout.collation() != null && !layout.collation().isEmpty()) {
            options.append("defaultCollation", layout.collation());
        }
        return new LayoutTiling(
                "test.c",
                vector.getDocument("shardKey"),
                mins.subList(1, mins.size()),
                layout.chunks().stream().map(Layout.Chunk::shard).toList(),
                options);
    }

    /** What the proxy makes of the cluster's own documents. */
    CatalogSnapshot live() {
        return CatalogBuilder.build(raw, ShardRegistry.empty(), Instant.EPOCH);
    }
}
