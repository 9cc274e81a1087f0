package io.scatterguard.proxy.catalog;

import java.util.List;
import org.bson.BsonDocument;

/**
 * The raw documents of the {@code config} collections of the same names, as a loader or a dump file gives them
 * (targeting semantics §2).
 */
public record RawCatalog(
        List<BsonDocument> shards,
        List<BsonDocument> databases,
        List<BsonDocument> collections,
        List<BsonDocument> chunks) {
    public RawCatalog {
        shards = List.copyOf(shards);
        databases = List.copyOf(databases);
        collections = List.copyOf(collections);
        chunks = List.copyOf(chunks);
    }
}
