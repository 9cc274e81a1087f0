package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One look at the shard key, from bounds to shards, as it was taken when a statement was routed. What is long is cut: the
 * first few are listed and all are counted.
 *
 * @param outcome how the key was looked at
 * @param fields one for each field of the key, in its order
 * @param ranges the first closed ranges over the whole key
 * @param rangeCount how many ranges there are
 * @param chunks the first chunks reached, in the order of the key
 * @param chunkCount how many chunks are reached
 * @param chunkTotal how many chunks the collection has; 0 where they are not known, and then none is listed or counted
 * @param chunksByShard the number of chunks reached on each shard, by its id, in the order of the ordinals
 * @param shards the shards that are reached
 */
public record KeyLookup(
        Outcome outcome,
        ShardKey shardKey,
        List<Field> fields,
        List<Range> ranges,
        int rangeCount,
        List<Chunk> chunks,
        int chunkCount,
        int chunkTotal,
        Map<String, Integer> chunksByShard,
        ShardSet shards) {
    public KeyLookup {
        fields = List.copyOf(fields);
        ranges = List.copyOf(ranges);
        chunks = List.copyOf(chunks);
        chunksByShard = Collections.unmodifiableMap(new LinkedHashMap<>(chunksByShard));
    }

    /** How the key was looked at. */
    public enum Outcome {
        /** The filter gives the full key by equality. */
        POINT("fullKey"),
        /** The filter's bounds on the key are followed to chunks. */
        RANGES("ranges"),
        /** The bounds contradict each other: the router asks the first chunk's shard. */
        CONTRADICTION("contradiction"),
        /** The filter gives no bounds that the router can use: every chunk is reached. */
        EVERYTHING("everything"),
        /** A document that is stored has its own key. */
        DOCUMENT("document");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** How a field of the key is narrowed. */
    public enum Narrowing {
        /** To single values. */
        EQUALITY("equality"),
        /** To anything wider. */
        RANGE("range"),
        /** Not at all. */
        NONE("none");

        private final String text;

        Narrowing(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /**
     * The bounds of one field of the key.
     *
     * @param intervals the first of them, ascending
     * @param intervalCount how many there are; 0 where the predicates contradict each other
     */
    public record Field(
            String path, boolean hashed, Narrowing narrowing, List<ValueInterval> intervals, int intervalCount) {
        public Field {
            intervals = List.copyOf(intervals);
        }
    }

    /**
     * An interval of values; of a hashed field, of hashes.
     *
     * @param hashOf the value whose hash the interval is, where it is known
     */
    public record ValueInterval(
            BsonValue low,
            boolean lowIncluded,
            BsonValue high,
            boolean highIncluded,
            @Nullable BsonValue hashOf) {
        public boolean isPoint() {
            return low.equals(high);
        }
    }

    /** A closed range over the whole key: the lowest and the highest one, each a field for each path. */
    public record Range(BsonDocument low, BsonDocument high) {
        public boolean isPoint() {
            return low.equals(high);
        }
    }

    /** A chunk: from {@code min} up to, but without, {@code max}, on the shard of this id. */
    public record Chunk(BsonDocument min, BsonDocument max, String shard) {}
}
