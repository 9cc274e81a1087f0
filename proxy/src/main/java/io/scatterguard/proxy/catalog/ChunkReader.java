package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.MalformedBsonException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Understands the chunk documents of a collection, given one by one (targeting semantics §2.2), and remembers the first that
 * it does not. Documents are not kept. Not thread-safe.
 */
final class ChunkReader {
    private final CollectionInfo collection;
    private final ShardOrdinals ordinals;
    private final List<ReadChunk> chunks = new ArrayList<>();
    private byte[] lastMax = new byte[0];
    private ChunkHistory lastHistory = ChunkHistory.NONE;
    private ChunkVersion version = ChunkVersion.NONE;
    private @Nullable CatalogException failure;

    ChunkReader(CollectionInfo collection, ShardOrdinals ordinals) {
        this.collection = collection;
        this.ordinals = ordinals;
    }

    /** Takes one chunk. What follows one that cannot be understood still counts for {@link #version()}. */
    void add(BsonDocument chunk) {
        String subject = collection.namespace().fullName() + ": chunk " + (chunks.size() + 1) + " as read";
        try {
            ChunkVersion chunkVersion = ChunkVersion.of(ConfigFields.timestamp(chunk, "lastmod", subject));
            if (chunkVersion.compareTo(version) > 0) {
                version = chunkVersion;
            }
            if (failure == null) {
                add(chunk, chunkVersion, subject + ", version " + chunkVersion);
            }
        } catch (CatalogException e) {
            failure = failure == null ? e : failure;
        }
    }

    /** Sharing equal arrays and histories of neighbours halves what a million chunks need while they are read. */
    private void add(BsonDocument chunk, ChunkVersion chunkVersion, String subject) {
        byte[] min = bound(chunk, "min", subject);
        byte[] max = bound(chunk, "max", subject);
        int owner = ordinals.ordinal(ConfigFields.string(chunk, "shard", subject));
        ChunkHistory history = ChunkHistory.of(chunk, ordinals);
        history = history.isSameAs(lastHistory) ? lastHistory : history;
        chunks.add(new ReadChunk(Arrays.equals(lastMax, min) ? lastMax : min, max, owner, chunkVersion, history));
        lastMax = max;
        lastHistory = history;
    }

    /** The highest version of the chunks given so far, {@link ChunkVersion#NONE} before the first. */
    ChunkVersion version() {
        return version;
    }

    /**
     * What was read, in the order in which it came; the caller may change the list.
     *
     * @throws CatalogException if a chunk could not be understood
     */
    List<ReadChunk> chunks() {
        if (failure != null) {
            throw failure;
        }
        return chunks;
    }

    private byte[] bound(BsonDocument chunk, String field, String subject) {
        BsonDocument bound = ConfigFields.document(chunk, field, subject);
        Iterator<String> names = bound.keySet().iterator();
        boolean matches = bound.size() == collection.shardKey().size();
        for (ShardKey.Field expected : collection.shardKey().fields()) {
            matches = matches && names.next().equals(expected.path());
        }
        if (!matches) {
            throw new CatalogException(subject + ": " + field + " does not have the fields of the shard key (expected: "
                    + collection.shardKey() + ", in this order)");
        }
        try {
            return KeyBytes.ofValues(BsonView.encode(bound));
        } catch (MalformedBsonException | BSONException e) {
            throw new CatalogException(subject + ": " + field + ": " + e.getMessage());
        }
    }

    /** The beginning or the end of the key space: the same value in every field. */
    byte[] wholeKey(BsonValueView value) {
        KeyBytes key = new KeyBytes();
        collection.shardKey().fields().forEach(field -> key.append(value));
        return key.toByteArray();
    }
}
