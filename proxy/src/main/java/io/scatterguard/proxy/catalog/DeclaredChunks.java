package io.scatterguard.proxy.catalog;

import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.CollectionRule.Bounds;
import io.scatterguard.proxy.config.CollectionRule.ChunkRule;
import io.scatterguard.proxy.config.CollectionRule.Chunks;
import io.scatterguard.proxy.config.CollectionRule.Distribution;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.CollectionRule.SplitAt;
import io.scatterguard.proxy.config.CollectionRule.Unsplittable;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/**
 * The chunks that a rule declares, by their lower ends, ascending from all-MinKey on.
 *
 * @param mins values of the key's fields in its order, under the names of the rule
 * @param shards the id of each chunk's shard
 * @param known false where the rule gives no bounds: then there is one chunk, which stands for all of them
 */
record DeclaredChunks(List<BsonDocument> mins, List<String> shards, boolean known) {
    DeclaredChunks {
        mins = List.copyOf(mins);
        shards = List.copyOf(shards);
    }

    /** @param names the shards that virtual ones are taken from, in their order */
    static DeclaredChunks of(CollectionRule rule, ShardNames names, DeclaredLayout layout) {
        Distribution distribution = rule.distribution();
        if (distribution instanceof Chunks chunks) {
            return new DeclaredChunks(
                    chunks.chunks().stream().map(ChunkRule::min).toList(),
                    chunks.chunks().stream().map(ChunkRule::shard).toList(),
                    true);
        } else if (distribution instanceof Unsplittable unsplittable) {
            return new DeclaredChunks(List.of(lowest(rule.key())), List.of(unsplittable.shard()), true);
        } else if (distribution instanceof SplitAt split) {
            return dealt(rule.key(), split.points(), names.first(split.shards()), 1);
        }
        Shards shards = (Shards) distribution;
        int count = shards.count();
        if (rule.beginsHashed() && shards.bounds() == Bounds.FRESH) {
            int each = layout.hashedChunksPerShard();
            List<BsonDocument> points = new ArrayList<>();
            for (long hash : HashedSplits.between(count * each)) {
                points.add(hashed(rule.key(), hash));
            }
            return dealt(rule.key(), points, names.first(count), each);
        }
        return new DeclaredChunks(List.of(lowest(rule.key())), names.first(1), count == 1);
    }

    /** The chunks between {@code points}, dealt to {@code shards} in turn, {@code each} to one. */
    private static DeclaredChunks dealt(BsonDocument key, List<BsonDocument> points, List<String> shards, int each) {
        List<BsonDocument> mins = new ArrayList<>();
        mins.add(lowest(key));
        mins.addAll(points);
        List<String> owners = new ArrayList<>();
        for (int i = 0; i < mins.size(); i++) {
            owners.add(shards.get(i / each % shards.size()));
        }
        return new DeclaredChunks(mins, owners, true);
    }

    private static BsonDocument lowest(BsonDocument key) {
        BsonDocument lowest = new BsonDocument();
        key.keySet().forEach(field -> lowest.append(field, new BsonMinKey()));
        return lowest;
    }

    /** The hash in the first field, MinKey in those that follow. */
    private static BsonDocument hashed(BsonDocument key, long hash) {
        BsonDocument point = new BsonDocument();
        for (String field : key.keySet()) {
            BsonValue value = point.isEmpty() ? new BsonInt64(hash) : new BsonMinKey();
            point.append(field, value);
        }
        return point;
    }
}
