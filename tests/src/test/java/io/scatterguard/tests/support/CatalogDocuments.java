package io.scatterguard.tests.support;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.embedded.ShopCatalog;
import java.time.Instant;
import java.util.List;
import org.bson.BsonDocument;

/**
 * The documents of the {@code config} collections a router reads, each list under its collection's name, and the views of
 * all databases as in {@code system.views}.
 */
public record CatalogDocuments(
        List<BsonDocument> shards,
        List<BsonDocument> databases,
        List<BsonDocument> collections,
        List<BsonDocument> chunks,
        List<BsonDocument> version,
        List<BsonDocument> views) {
    static final CatalogDocuments EMPTY = new CatalogDocuments(List.of(), List.of(), List.of(), List.of(), List.of());

    public CatalogDocuments {
        shards = List.copyOf(shards);
        databases = List.copyOf(databases);
        collections = List.copyOf(collections);
        chunks = List.copyOf(chunks);
        version = List.copyOf(version);
        views = List.copyOf(views);
    }

    /** Documents without views. */
    public CatalogDocuments(
            List<BsonDocument> shards,
            List<BsonDocument> databases,
            List<BsonDocument> collections,
            List<BsonDocument> chunks,
            List<BsonDocument> version) {
        this(shards, databases, collections, chunks, version, List.of());
    }

    /** The catalog of the demo's shop, whose {@code shop.orders} is sharded by {@code customerId, orderId}. */
    public static CatalogDocuments shop() {
        return new CatalogDocuments(
                ShopCatalog.shards(),
                ShopCatalog.databases(),
                ShopCatalog.collections(),
                ShopCatalog.chunks(),
                List.of(ShopCatalog.version()));
    }

    /** The documents of {@code config.<name>}; none for a collection that is not modelled. */
    List<BsonDocument> named(String name) {
        return switch (name) {
            case "shards" -> shards;
            case "databases" -> databases;
            case "collections" -> collections;
            case "chunks" -> chunks;
            case "version" -> version;
            default -> List.of();
        };
    }

    /** Replaces the {@code config} database of an embedded server by these documents. */
    public void storeIn(String connectionString) {
        try (MongoClient client = MongoClients.create(connectionString)) {
            MongoDatabase config = client.getDatabase("config");
            config.drop();
            for (String name : List.of("shards", "databases", "collections", "chunks", "version")) {
                config.getCollection(name, BsonDocument.class).insertMany(named(name));
            }
        }
    }

    /** What the proxy makes of them. */
    public CatalogSnapshot snapshot() {
        RawCatalog raw = new RawCatalog(shards, databases, collections, chunks);
        return CatalogBuilder.build(raw, ShardRegistry.empty(), Instant.EPOCH);
    }
}
