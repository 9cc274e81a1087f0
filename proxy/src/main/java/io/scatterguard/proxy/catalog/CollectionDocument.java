package io.scatterguard.proxy.catalog;

import static io.scatterguard.proxy.catalog.ConfigFields.flag;
import static io.scatterguard.proxy.catalog.ConfigFields.optionalDocument;

import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads documents of {@code config.collections} (targeting semantics §2.1). */
final class CollectionDocument {
    private static final BsonString HASHED = new BsonString("hashed");
    private static final BsonString SIMPLE = new BsonString("simple");

    private CollectionDocument() {}

    /** Whether the document stands for a routing table: neither the tombstone of a drop nor marked as unsharded. */
    static boolean isTracked(BsonDocument collection) {
        BsonValue mode = collection.get("distributionMode");
        boolean unsharded =
                mode != null && mode.isString() && mode.asString().getValue().equals("unsharded");
        return !unsharded && !flag(collection, "dropped");
    }

    /** @throws CatalogException if a field that routing needs is missing or of a wrong type */
    static CollectionInfo info(BsonDocument collection, Incarnation incarnation) {
        String name = incarnation.namespace().fullName();
        return new CollectionInfo(
                incarnation.namespace(),
                shardKey(ConfigFields.document(collection, "key", name), name),
                collation(collection, name),
                flag(collection, "unique"),
                flag(collection, "unsplittable"),
                optionalDocument(collection, "timeseriesFields", name));
    }

    private static ShardKey shardKey(BsonDocument pattern, String name) {
        if (pattern.isEmpty()) {
            throw new CatalogException(name + ": field key: no field (expected: at least one)");
        }
        for (Map.Entry<String, BsonValue> field : pattern.entrySet()) {
            if (!field.getValue().isNumber() && !field.getValue().equals(HASHED)) {
                throw new CatalogException(name + ": shard key field " + field.getKey() + ": "
                        + field.getValue().getBsonType() + " (expected: a number or \"hashed\")");
            }
        }
        return ShardKey.of(pattern);
    }

    /** The collection's collation; the two spellings of the simple one are null. */
    private static @Nullable BsonDocument collation(BsonDocument collection, String name) {
        BsonDocument collation = optionalDocument(collection, "defaultCollation", name);
        return collation == null || SIMPLE.equals(collation.get("locale")) ? null : collation;
    }
}
