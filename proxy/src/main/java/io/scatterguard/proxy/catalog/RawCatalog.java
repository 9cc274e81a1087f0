package io.scatterguard.proxy.catalog;

import java.util.List;
import org.bson.BsonDocument;

/**
 * The raw documents of the {@code config} collections of the same names, as a loader or a dump file gives them
 * (targeting semantics §2), and what else decides on routing.
 *
 * @param tags {@code config.tags}: zones, which never decide where a command goes; kept for whoever reads a dump
 * @param views the documents of each database's {@code system.views}: {@code {_id: "db.view", viewOn, pipeline, collation}}
 * @param clusterParameters {@code config.clusterParameters}: {@code {_id: name, enabled, …}}
 */
public record RawCatalog(
        List<BsonDocument> shards,
        List<BsonDocument> databases,
        List<BsonDocument> collections,
        List<BsonDocument> chunks,
        List<BsonDocument> tags,
        List<BsonDocument> views,
        List<BsonDocument> clusterParameters) {
    public RawCatalog {
        shards = List.copyOf(shards);
        databases = List.copyOf(databases);
        collections = List.copyOf(collections);
        chunks = List.copyOf(chunks);
        tags = List.copyOf(tags);
        views = List.copyOf(views);
        clusterParameters = List.copyOf(clusterParameters);
    }

    /** A catalog without zones, views and cluster parameters. */
    public RawCatalog(
            List<BsonDocument> shards,
            List<BsonDocument> databases,
            List<BsonDocument> collections,
            List<BsonDocument> chunks) {
        this(shards, databases, collections, chunks, List.of(), List.of(), List.of());
    }
}
