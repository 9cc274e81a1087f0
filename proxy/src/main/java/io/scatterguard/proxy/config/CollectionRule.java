package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The declared shard key of a collection: it is judged as if it were sharded this way.
 *
 * @param namespace {@code db.coll}; of a time-series collection its own name, not that of its buckets
 * @param key as given to {@code shardCollection}: fields with 1 or {@code "hashed"}
 * @param unique whether the key is unique
 * @param collation the collection's default collation; null for simple
 * @param distribution how its chunks lie
 * @param timeseries null for an ordinary collection
 * @param uniqueIndexes the keys of its unique indexes besides {@code _id}, for {@code rules validate}
 */
public record CollectionRule(
        Namespace namespace,
        BsonDocument key,
        boolean unique,
        @Nullable BsonDocument collation,
        Distribution distribution,
        @Nullable TimeseriesRule timeseries,
        List<BsonDocument> uniqueIndexes)
        implements ShardingRule {
    /** How the chunks of a collection lie. */
    public sealed interface Distribution {}

    /**
     * As many virtual shards, each of which has some chunks.
     *
     * @param count from 1 on
     * @param bounds what is known of where the chunks begin and end
     */
    public record Shards(int count, Bounds bounds) implements Distribution {
        /** The most virtual shards there can be. */
        public static final int MAX = 1_000;

        /** What is assumed where nothing is said: enough to tell one shard from many, and many from all. */
        public static final Shards DEFAULT = new Shards(3);

        public Shards {
            new Requirements().range("shards", count, 1, MAX).check();
        }

        /** Chunks as the server makes them. */
        public Shards(int count) {
            this(count, Bounds.FRESH);
        }
    }

    /** What is known of the bounds of chunks that are not declared one by one. */
    public enum Bounds implements Choice {
        /** Of a key that begins hashed, those that the server gives an empty collection; of any other key nothing. */
        FRESH("fresh"),
        /** Nothing, whatever the key is: chunks have been split, merged and moved. */
        UNKNOWN("unknown");

        private final String text;

        Bounds(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /**
     * Chunks between the given keys, dealt to virtual shards in turn.
     *
     * @param points ascending values of the whole key
     * @param shards as many virtual shards
     */
    public record SplitAt(List<BsonDocument> points, int shards) implements Distribution {
        public SplitAt {
            points = List.copyOf(points);
            new Requirements().range("shards", shards, 1, Shards.MAX).check();
        }
    }

    /** Exactly these chunks, ascending, the first from MinKey on. */
    public record Chunks(List<ChunkRule> chunks) implements Distribution {
        public Chunks {
            chunks = List.copyOf(chunks);
        }
    }

    /** Tracked and not sharded, on one shard (8.0 and later). */
    public record Unsplittable(String shard) implements Distribution {
        public Unsplittable {
            new Requirements().line("unsplittable", shard).check();
        }
    }

    /**
     * A chunk that reaches to the {@code min} of the next one.
     *
     * @param min a value of the whole key
     * @param shard the id of the shard that owns it
     */
    public record ChunkRule(BsonDocument min, String shard) {
        public ChunkRule {
            new Requirements().line("shard", shard).check();
        }
    }

    public CollectionRule {
        uniqueIndexes = List.copyOf(uniqueIndexes);
        Requirements requirements = new Requirements();
        NamespaceDemands.check(namespace, requirements);
        DeclaredKeyDemands demands = new DeclaredKeyDemands(key, requirements);
        demands.check(distribution instanceof Unsplittable ? null : timeseries);
        if (distribution instanceof SplitAt split) {
            new DeclaredBoundDemands(key, requirements).splitPoints(split.points());
        } else if (distribution instanceof Chunks chunks) {
            new DeclaredBoundDemands(key, requirements)
                    .chunks(chunks.chunks().stream().map(ChunkRule::min).toList());
        } else if (distribution instanceof Unsplittable) {
            demands.checkUnsplittable();
        }
        CollationDemands.check(collation, requirements);
        requirements.check();
    }

    @Override
    public String subject() {
        return namespace.fullName();
    }

    /** Whether a field of the key is hashed. */
    public boolean isHashed() {
        return key.containsValue(DeclaredKeyDemands.HASHED);
    }

    /** Whether the first field of the key is hashed, so that the server spreads chunks over the shards at once. */
    public boolean beginsHashed() {
        return beginsHashed(key);
    }

    /** Whether the first field of a key is hashed. */
    public static boolean beginsHashed(BsonDocument key) {
        return DeclaredKeyDemands.HASHED.equals(key.values().iterator().next());
    }
}
