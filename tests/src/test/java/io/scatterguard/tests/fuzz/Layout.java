package io.scatterguard.tests.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A sharded collection: its key, the chunks that tile the key space, the default collation (null: simple), and every
 * registered shard.
 */
record Layout(
        List<Field> key,
        List<Chunk> chunks,
        List<String> registry,
        @Nullable BsonDocument collation) {
    record Field(String path, boolean hashed) {}

    /** A chunk {@code [min, max)}; a value for each key field. */
    record Chunk(List<BsonValue> min, List<BsonValue> max, String shard) {}

    Layout {
        key = List.copyOf(key);
        chunks = List.copyOf(chunks);
    }

    Set<String> owning() {
        Set<String> owning = new LinkedHashSet<>();
        chunks.forEach(chunk -> owning.add(chunk.shard()));
        return owning;
    }

    String first() {
        return chunks.get(0).shard();
    }

    String last() {
        return chunks.get(chunks.size() - 1).shard();
    }

    boolean hasHashedField() {
        return key.stream().anyMatch(Field::hashed);
    }

    /** The shard that holds a key; null for the key that is MaxKey in every field. */
    @Nullable String ownerOf(List<BsonValue> point) {
        for (Chunk chunk : chunks) {
            if (BsonOrder.compareKeys(point, chunk.min()) >= 0 && BsonOrder.compareKeys(point, chunk.max()) < 0) {
                return chunk.shard();
            }
        }
        return null;
    }

    /** The shard a document lives on (§3); null if it cannot be stored. */
    @Nullable String placeOf(BsonDocument document) {
        List<BsonValue> point = new ArrayList<>();
        for (Field field : key) {
            BsonValue value = valueAt(document, field.path());
            if (value == null) {
                return null;
            }
            point.add(field.hashed() ? BsonHash.of(value) : value);
        }
        return ownerOf(point);
    }

    /** The value at a path through sub-documents; null if an array is on the way or at its end. */
    private static @Nullable BsonValue valueAt(BsonDocument document, String path) {
        BsonValue at = document;
        for (String name : path.split("\\.")) {
            if (at.isArray()) {
                return null;
            }
            BsonValue next = at.isDocument() ? at.asDocument().get(name) : null;
            at = next == null ? BsonNull.VALUE : next;
        }
        return at.isArray() ? null : at.getBsonType() == org.bson.BsonType.UNDEFINED ? BsonNull.VALUE : at;
    }

    /** The members of a vector that describe this collection. */
    BsonDocument vector() {
        BsonDocument shardKey = new BsonDocument();
        key.forEach(f -> shardKey.append(f.path(), f.hashed() ? new BsonString("hashed") : new BsonInt32(1)));
        BsonDocument vector = new BsonDocument("shardKey", shardKey);
        if (collation != null) {
            vector.append("collation", collation);
        }
        BsonArray list = new BsonArray();
        for (Chunk chunk : chunks) {
            list.add(new BsonDocument("min", bound(chunk.min()))
                    .append("max", bound(chunk.max()))
                    .append("shard", new BsonString(chunk.shard())));
        }
        BsonArray shards = new BsonArray();
        registry.forEach(shard -> shards.add(new BsonString(shard)));
        return vector.append("chunks", list).append("allShards", shards);
    }

    private BsonDocument bound(List<BsonValue> values) {
        BsonDocument bound = new BsonDocument();
        for (int i = 0; i < key.size(); i++) {
            bound.append(key.get(i).path(), values.get(i));
        }
        return bound;
    }
}
