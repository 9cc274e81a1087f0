package io.scatterguard.tests.support;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Open cursors of a {@link ScriptedData}, each with what is left of its result. Thread-safe. */
final class ScriptedCursors {
    private static final int DEFAULT_BATCH_SIZE = 101;

    private final Map<Long, Rest> open = new TreeMap<>();
    private long lastId = 1L << 42;

    private record Rest(String namespace, List<BsonDocument> documents) {}

    /** A first batch; {@code options} may hold {@code batchSize} and {@code singleBatch}. */
    synchronized BsonDocument first(String namespace, List<BsonDocument> found, BsonDocument options) {
        boolean single = options.getBoolean("singleBatch", BsonBoolean.FALSE).getValue();
        return batch(
                single ? 0 : ++lastId, "firstBatch", new Rest(namespace, found), size(options, DEFAULT_BATCH_SIZE));
    }

    /** The answer to a {@code getMore}. */
    synchronized BsonDocument next(BsonDocument getMore) {
        long id = getMore.getNumber("getMore").longValue();
        Rest rest = open.remove(id);
        return rest == null
                ? ReplyDocuments.error(43, "CursorNotFound", "cursor id " + id + " not found")
                : batch(id, "nextBatch", rest, size(getMore, Integer.MAX_VALUE));
    }

    synchronized BsonDocument kill(BsonDocument killCursors) {
        BsonArray killed = new BsonArray();
        BsonArray unknown = new BsonArray();
        for (BsonValue id : killCursors.getArray("cursors")) {
            (open.remove(id.asNumber().longValue()) == null ? unknown : killed).add(id);
        }
        return new BsonDocument("cursorsKilled", killed)
                .append("cursorsNotFound", unknown)
                .append("cursorsAlive", new BsonArray())
                .append("cursorsUnknown", new BsonArray())
                .append("ok", new BsonDouble(1));
    }

    /** {@code id} 0 throws away what does not fit into the batch. */
    private BsonDocument batch(long id, String batchName, Rest rest, int batchSize) {
        List<BsonDocument> all = rest.documents();
        int size = Math.min(batchSize, all.size());
        boolean more = id != 0 && size < all.size();
        if (more) {
            open.put(id, new Rest(rest.namespace(), all.subList(size, all.size())));
        }
        return ReplyDocuments.cursor(rest.namespace(), more ? id : 0, batchName, all.subList(0, size));
    }

    private static int size(BsonDocument options, int unset) {
        int size = options.getNumber("batchSize", new BsonInt32(unset)).intValue();
        return size < 0 ? unset : size;
    }
}
