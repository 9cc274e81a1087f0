package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.MalformedBsonException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Makes one routing table out of the chunk documents of a collection, given one by one in any order, and checks that
 * they tile the key space (targeting semantics §2.2, §2.6). Documents are not kept. Not thread-safe.
 */
final class RoutingTableAssembler {
    private final CollectionInfo collection;
    private final ShardOrdinals ordinals;
    private final List<Chunk> chunks = new ArrayList<>();
    private final ChunkHistories.Collector histories = new ChunkHistories.Collector();
    private byte[] lastMax = new byte[0];
    private ChunkVersion version = ChunkVersion.NONE;
    private boolean ascending = true;
    private @Nullable CatalogException failure;

    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    private record Chunk(
            byte[] min, byte[] max, int owner, ChunkVersion version, ChunkHistories.@Nullable Entries history) {}

    RoutingTableAssembler(CollectionInfo collection, ShardOrdinals ordinals) {
        this.collection = collection;
        this.ordinals = ordinals;
    }

    /**
     * Takes one chunk. One that cannot be understood is reported by {@link #build()}; what follows it still counts for
     * {@link #version()}.
     */
    void add(BsonDocument chunk) {
        String subject = name() + ": chunk " + (chunks.size() + 1) + " as read";
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

    private void add(BsonDocument chunk, ChunkVersion chunkVersion, String subject) {
        byte[] min = bound(chunk, "min", subject);
        byte[] max = bound(chunk, "max", subject);
        int owner = ordinals.ordinal(ConfigFields.string(chunk, "shard", subject));
        ascending &= Arrays.compareUnsigned(lastMax, min) <= 0;
        // Sharing the array halves what a table of a million chunks needs while it is built.
        chunks.add(new Chunk(
                Arrays.equals(lastMax, min) ? lastMax : min, max, owner, chunkVersion, histories.add(chunk, ordinals)));
        lastMax = max;
    }

    /** The highest version of the chunks given so far, {@link ChunkVersion#NONE} before the first. */
    ChunkVersion version() {
        return version;
    }

    /** @throws CatalogException if a chunk could not be understood, or they do not tile the key space exactly */
    RoutingTable build() {
        if (failure != null) {
            throw failure;
        }
        if (chunks.isEmpty()) {
            throw new CatalogException(name() + ": 0 chunks (expected: at least 1 for a tracked collection)");
        }
        if (collection.unsplittable() && chunks.size() > 1) {
            throw new CatalogException(
                    name() + ": " + chunks.size() + " chunks (expected: exactly 1, as the collection is unsplittable)");
        }
        if (!ascending) {
            chunks.sort(Comparator.comparing(Chunk::min, KeyBytes::compare));
        }
        checkTiling();
        byte[][] mins = new byte[chunks.size()][];
        int[] owners = new int[chunks.size()];
        for (int i = 0; i < owners.length; i++) {
            mins[i] = chunks.get(i).min();
            owners[i] = chunks.get(i).owner();
        }
        List<ChunkHistories.@Nullable Entries> entries = new ArrayList<>(owners.length);
        chunks.forEach(chunk -> entries.add(chunk.history()));
        return new RoutingTable(collection, version, mins, owners, histories.build(entries));
    }

    private void checkTiling() {
        if (!Arrays.equals(chunks.get(0).min(), wholeKey(BsonValueView.MIN_KEY))) {
            throw violation(0, "min is not the beginning of the key space", "MinKey in every field");
        }
        for (int i = 0; i < chunks.size(); i++) {
            Chunk chunk = chunks.get(i);
            if (KeyBytes.compare(chunk.min(), chunk.max()) >= 0) {
                throw violation(i, "max is not above its own min", "min below max");
            }
            if (i + 1 < chunks.size()
                    && !Arrays.equals(chunk.max(), chunks.get(i + 1).min())) {
                boolean gap = KeyBytes.compare(chunk.max(), chunks.get(i + 1).min()) < 0;
                throw violation(
                        i,
                        (gap ? "a gap before " : "an overlap with ") + label(i + 1),
                        "max equal to the min of the next");
            }
        }
        int last = chunks.size() - 1;
        if (!Arrays.equals(chunks.get(last).max(), wholeKey(BsonValueView.MAX_KEY))) {
            throw violation(last, "max is not the end of the key space", "MaxKey in every field");
        }
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

    private byte[] wholeKey(BsonValueView value) {
        KeyBytes key = new KeyBytes();
        collection.shardKey().fields().forEach(field -> key.append(value));
        return key.toByteArray();
    }

    private CatalogException violation(int index, String found, String expected) {
        return new CatalogException(
                name() + ": " + label(index) + " of " + chunks.size() + ": " + found + " (expected: " + expected + ")");
    }

    private String label(int index) {
        return "chunk " + (index + 1) + " (version " + chunks.get(index).version() + ")";
    }

    private String name() {
        return collection.namespace().fullName();
    }
}
