package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
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
    static final String KEY_EXPECTED = "fields with 1 or \"hashed\", like {customer: 1}";

    /** The key that the server gives to what it tracks and does not split. */
    static final BsonDocument UNSPLITTABLE_KEY = new BsonDocument("_id", new BsonInt32(1));

    private static final BsonString HASHED = new BsonString("hashed");

    /** How the chunks of a collection lie. */
    public sealed interface Distribution {}

    /**
     * As many virtual shards; a hashed key has its chunks spread over them as the server would, any other key has one chunk
     * a shard where nothing else is known.
     *
     * @param count from 1 on
     */
    public record Shards(int count) implements Distribution {
        /** The most virtual shards there can be. */
        public static final int MAX = 1_000;

        /** What is assumed where nothing is said: enough to tell one shard from many, and many from all. */
        public static final Shards DEFAULT = new Shards(3);

        public Shards {
            new Requirements().range("shards", count, 1, MAX).check();
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
    public record Unsplittable(String shard) implements Distribution {}

    /**
     * A chunk that reaches to the {@code min} of the next one.
     *
     * @param min a value of the whole key
     * @param shard the id of the shard that owns it
     */
    public record ChunkRule(BsonDocument min, String shard) {}

    public CollectionRule {
        uniqueIndexes = List.copyOf(uniqueIndexes);
        Requirements requirements = new Requirements()
                .that(!key.isEmpty(), "key", "no field (expected: " + KEY_EXPECTED + ")")
                .that(
                        key.values().stream().filter(HASHED::equals).count() <= 1,
                        "key",
                        "two hashed fields (expected: at most one)");
        for (Map.Entry<String, BsonValue> field : key.entrySet()) {
            BsonValue value = field.getValue();
            boolean one = value.isNumber() && value.asNumber().doubleValue() == 1;
            requirements.that(
                    one || value.equals(HASHED),
                    "key",
                    field.getKey() + ": neither 1 nor \"hashed\" (expected: " + KEY_EXPECTED + ")");
        }
        requirements.check();
    }

    /** Whether a field of the key is hashed. */
    public boolean isHashed() {
        return key.containsValue(HASHED);
    }
}
