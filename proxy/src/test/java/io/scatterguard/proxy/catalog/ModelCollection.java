package io.scatterguard.proxy.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * A sharded collection of a cluster that splits, merges, moves, refines, reshards and drops as config servers do: versions,
 * histories and incarnations included. It knows the present chunks and all that ever were in this incarnation.
 */
final class ModelCollection {
    static final List<String> SHARDS = List.of("s0", "s1", "s2", "s3");

    private static final BsonDocument KEY = BsonDocument.parse("{a: 1}");
    private static final BsonDocument REFINED_KEY = BsonDocument.parse("{a: 1, b: 1}");

    /** Stands for MinKey and MaxKey in a bound. */
    private static final int LOWEST = Integer.MIN_VALUE;

    private static final int HIGHEST = Integer.MAX_VALUE;
    private static final int KEYS = 1_000;

    /** One chunk: {@code [min, max)} of the first field. */
    record Chunk(int min, int max, String shard, ChunkVersion version, BsonArray history, BsonDocument document) {}

    private final Random random;
    private CollectionInfo info;
    private final List<Chunk> chunks = new ArrayList<>();
    private final List<Chunk> replaced = new ArrayList<>();
    private int incarnation;
    private int uuid;
    private boolean refined;
    private int clock = 100;
    private int major = 1;
    private int minor;

    ModelCollection(Random random) {
        this.random = random;
        create();
        this.info = read();
    }

    List<Chunk> chunks() {
        return chunks;
    }

    /** What was a chunk of this incarnation and is none any more. */
    List<Chunk> replaced() {
        return replaced;
    }

    /** The seconds of the last change. */
    int clock() {
        return clock;
    }

    /** What {@code config.chunks} answers to {@code lastmod >= version}, in no order. */
    List<BsonDocument> since(ChunkVersion version) {
        List<BsonDocument> since = new ArrayList<>();
        for (Chunk chunk : chunks) {
            if (chunk.version().compareTo(version) >= 0) {
                since.add(chunk.document());
            }
        }
        return since;
    }

    /** The document of {@code config.collections}. */
    BsonDocument document() {
        return new BsonDocument("_id", new BsonString("shop.orders"))
                .append("lastmodEpoch", new BsonObjectId(new ObjectId(incarnation, 1)))
                .append("timestamp", new BsonTimestamp(incarnation, 1))
                .append("uuid", new BsonBinary(new UUID(7, uuid)))
                .append("key", refined ? REFINED_KEY : KEY);
    }

    private CollectionInfo read() {
        return CollectionDocument.info(document(), Incarnation.of(document()));
    }

    /** What is read of that document. */
    CollectionInfo info() {
        return info;
    }

    /** Does one thing of those that happen to collections; seldom one that begins another incarnation. */
    void step() {
        clock++;
        switch (random.nextInt(40)) {
            case 0 -> refine();
            case 1 -> {
                create();
                info = read();
            }
            default -> {
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> split(random.nextInt(chunks.size()));
                    case 3, 4 -> merge(random.nextInt(chunks.size()), 2 + random.nextInt(6));
                    case 5, 6 -> move(random.nextInt(chunks.size()), SHARDS.get(random.nextInt(SHARDS.size())));
                    default -> touch(random.nextInt(chunks.size()));
                }
            }
        }
    }

    /** Drops, or reshards, and cuts at random. */
    private void create() {
        incarnation++;
        uuid++;
        refined = false;
        major = 1;
        minor = 0;
        chunks.clear();
        replaced.clear();
        int[] cuts = IntStream.concat(IntStream.of(LOWEST, HIGHEST), random.ints(random.nextInt(20), 0, KEYS))
                .distinct()
                .sorted()
                .toArray();
        for (int i = 0; i + 1 < cuts.length; i++) {
            String shard = SHARDS.get(random.nextInt(SHARDS.size()));
            chunks.add(chunk(cuts[i], cuts[i + 1], shard, nextMinor(), since(shard, new BsonArray())));
        }
    }

    /** The key gets another field; chunks keep their versions. */
    private void refine() {
        if (refined) {
            return;
        }
        incarnation++;
        refined = true;
        info = read();
        replaced.clear();
        chunks.replaceAll(old -> chunk(old.min(), old.max(), old.shard(), old.version(), old.history()));
    }

    private void split(int index) {
        Chunk old = chunks.get(index);
        int from = Math.max(old.min(), -1);
        int parts = 2 + random.nextInt(3);
        List<Chunk> split = new ArrayList<>();
        int min = old.min();
        for (int part = 1; part < parts; part++) {
            int room = Math.min(old.max(), KEYS) - Math.max(min, from) - 1;
            if (room <= 0) {
                break;
            }
            int at = Math.max(min, from) + 1 + random.nextInt(room);
            if (at >= old.max()) {
                break;
            }
            split.add(chunk(min, at, old.shard(), nextMinor(), old.history()));
            min = at;
        }
        if (!split.isEmpty()) {
            split.add(chunk(min, old.max(), old.shard(), nextMinor(), old.history()));
            replace(index, index + 1, split);
        }
    }

    private void merge(int index, int most) {
        int end = index + 1;
        String shard = chunks.get(index).shard();
        while (end < chunks.size()
                && end - index < most
                && chunks.get(end).shard().equals(shard)) {
            end++;
        }
        if (end - index > 1) {
            int max = chunks.get(end - 1).max();
            BsonArray history = since(shard, new BsonArray());
            replace(index, end, List.of(chunk(chunks.get(index).min(), max, shard, nextMinor(), history)));
        }
    }

    /** A migration: the chunk that moved has the new major version, and one that the donor keeps as well. */
    private void move(int index, String to) {
        Chunk old = chunks.get(index);
        if (old.shard().equals(to)) {
            return;
        }
        major++;
        minor = -1;
        BsonArray kept = new BsonArray(old.history()
                .subList(0, Math.min(random.nextInt(4), old.history().size())));
        replace(index, index + 1, List.of(chunk(old.min(), old.max(), to, nextMinor(), since(to, kept))));
        for (int i = 0; i < chunks.size(); i++) {
            if (chunks.get(i).shard().equals(old.shard())) {
                touch(i);
                return;
            }
        }
    }

    /** Gives a chunk another version. */
    private void touch(int index) {
        Chunk old = chunks.get(index);
        replace(index, index + 1, List.of(chunk(old.min(), old.max(), old.shard(), nextMinor(), old.history())));
    }

    private void replace(int from, int to, List<Chunk> by) {
        List<Chunk> old = chunks.subList(from, to);
        replaced.addAll(old);
        old.clear();
        chunks.addAll(from, by);
    }

    private ChunkVersion nextMinor() {
        minor++;
        return new ChunkVersion(major, minor);
    }

    private BsonArray since(String shard, BsonArray earlier) {
        BsonArray history = new BsonArray();
        history.add(new BsonDocument("validAfter", new BsonTimestamp(clock, 1)).append("shard", new BsonString(shard)));
        history.addAll(earlier);
        return history;
    }

    private Chunk chunk(int min, int max, String shard, ChunkVersion version, BsonArray history) {
        BsonDocument document = new BsonDocument("min", bound(min))
                .append("max", bound(max))
                .append("shard", new BsonString(shard))
                .append("lastmod", new BsonTimestamp(version.major(), version.minor()))
                .append("history", history);
        return new Chunk(min, max, shard, version, history, document);
    }

    BsonDocument bound(int value) {
        BsonValue end = value == HIGHEST ? new BsonMaxKey() : new BsonMinKey();
        BsonDocument bound = new BsonDocument("a", value == LOWEST || value == HIGHEST ? end : new BsonInt32(value));
        return refined ? bound.append("b", end) : bound;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(document().getDocument("key").toJson());
        chunks.stream()
                .sorted(Comparator.comparing(Chunk::version))
                .forEach(chunk -> text.append("\n  ")
                        .append(chunk.version() + " [" + chunk.min() + ", " + chunk.max() + ") " + chunk.shard() + " "
                                + chunk.history()));
        return text.toString();
    }
}
