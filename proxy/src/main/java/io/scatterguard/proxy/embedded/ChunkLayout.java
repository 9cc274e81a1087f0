package io.scatterguard.proxy.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * The chunks of one collection: its key space cut at split points, and an owner for each piece. Chunk <i>i</i> reaches
 * from split point <i>i</i> - 1 to split point <i>i</i>; the ends are all MinKey and all MaxKey.
 *
 * @param key the shard key pattern
 * @param splitPoints full keys in ascending order
 * @param owners the shard of each chunk, one more than there are split points
 * @param preSplit whether the chunks were placed when the collection was sharded; otherwise it began as one chunk on the
 *     first owner, and the others were migrated
 */
record ChunkLayout(BsonDocument key, List<BsonDocument> splitPoints, List<String> owners, boolean preSplit) {
    ChunkLayout {
        splitPoints = List.copyOf(splitPoints);
        owners = List.copyOf(owners);
        if (owners.size() != splitPoints.size() + 1) {
            throw new IllegalArgumentException(
                    "owners: " + owners.size() + " (expected: " + (splitPoints.size() + 1) + ")");
        }
    }

    /**
     * The split points that the server itself chooses when it shards an empty collection by a hashed key: even steps
     * over the 64-bit space, symmetric around zero.
     *
     * @param chunkCount an even number
     */
    static List<Long> hashedSplitPoints(int chunkCount) {
        if (chunkCount < 2 || chunkCount % 2 != 0) {
            throw new IllegalArgumentException("chunkCount: " + chunkCount + " (expected: an even number, 2 or more)");
        }
        long interval = Long.MAX_VALUE / chunkCount * 2;
        List<Long> points = new ArrayList<>();
        for (int i = 1 - chunkCount / 2; i < chunkCount / 2; i++) {
            points.add(i * interval);
        }
        return List.copyOf(points);
    }

    /** The documents of {@code config.chunks}, in key order, as MongoDB 6.0 keeps them: keyed by {@code uuid}. */
    List<BsonDocument> documents(UUID uuid, BsonTimestamp since) {
        List<BsonTimestamp> versions = versions();
        List<BsonDocument> chunks = new ArrayList<>();
        for (int i = 0; i < owners.size(); i++) {
            BsonString shard = new BsonString(owners.get(i));
            BsonDocument placed = new BsonDocument("validAfter", since).append("shard", shard);
            chunks.add(new BsonDocument("_id", new BsonObjectId(chunkId(uuid, i, since)))
                    .append("uuid", new BsonBinary(uuid))
                    .append("min", i == 0 ? bound(new BsonMinKey()) : splitPoints.get(i - 1))
                    .append("max", i == splitPoints.size() ? bound(new BsonMaxKey()) : splitPoints.get(i))
                    .append("shard", shard)
                    .append("lastmod", versions.get(i))
                    .append("history", new BsonArray(List.of(placed))));
        }
        return chunks;
    }

    /**
     * Chunk versions as the history of the collection leaves them. A migration raises the major number; the chunk that
     * moved gets minor 0, and one that stayed behind on the donor minor 1.
     */
    private List<BsonTimestamp> versions() {
        List<BsonTimestamp> versions = new ArrayList<>();
        int lastUnmoved = owners.lastIndexOf(owners.get(0));
        int migrations = preSplit
                ? 0
                : (int) owners.stream().filter(o -> !o.equals(owners.get(0))).count();
        int migrated = 0;
        for (int i = 0; i < owners.size(); i++) {
            if (preSplit || (owners.get(i).equals(owners.get(0)) && i != lastUnmoved)) {
                versions.add(new BsonTimestamp(1, i));
            } else if (i == lastUnmoved) {
                versions.add(new BsonTimestamp(1 + migrations, 1));
            } else {
                versions.add(new BsonTimestamp(2 + migrated++, 0));
            }
        }
        return versions;
    }

    private BsonDocument bound(BsonValue end) {
        BsonDocument bound = new BsonDocument();
        key.keySet().forEach(field -> bound.append(field, end));
        return bound;
    }

    /** An id that is the same in every run: the second of the placement, the collection, the chunk's place. */
    private static ObjectId chunkId(UUID uuid, int index, BsonTimestamp since) {
        return FixedIds.of(since.getTime(), ((int) uuid.getMostSignificantBits() & 0xff) << 16 | index);
    }
}
