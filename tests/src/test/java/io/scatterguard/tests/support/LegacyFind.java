package io.scatterguard.tests.support;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bson.BsonDocument;

/** A query of a collection by OP_QUERY, as servers before 5.1 answered it: in one OP_REPLY, or by an exhaust stream of them. */
final class LegacyFind {
    /** The {@code exhaust} bit of an OP_QUERY. */
    static final int EXHAUST = 1 << 6;

    private static final int DEFAULT_BATCH_SIZE = 101;

    private LegacyFind() {}

    static boolean isOne(WireFrame request) {
        return request.opCode() == WireHeader.OP_QUERY && !request.namespace().endsWith(".$cmd");
    }

    /** Without exhaust the whole result, so that no OP_GET_MORE follows. */
    static Reply reply(WireFrame request, ScriptedData data) {
        BsonDocument query = request.command();
        List<BsonDocument> found = data.documents(request.namespace()).stream()
                .filter(document -> CatalogFilter.matches(query, document))
                .toList();
        if ((request.flagBits() & EXHAUST) == 0) {
            return out -> out.legacyBatch(0, 0, found);
        }
        int batchSize = batchSize(request);
        return out -> {
            int from = 0;
            while (found.size() - from > batchSize) {
                out.legacyBatch(4711, from, found.subList(from, from + batchSize));
                from += batchSize;
            }
            out.legacyBatch(0, from, found.subList(from, found.size()));
        };
    }

    private static int batchSize(WireFrame request) {
        int namespaceBytes = request.namespace().getBytes(StandardCharsets.UTF_8).length + 1;
        ByteBuffer raw = request.raw().order(ByteOrder.LITTLE_ENDIAN);
        int numberToReturn = raw.getInt(WireHeader.BYTES + 2 * Integer.BYTES + namespaceBytes);
        return numberToReturn > 1 ? numberToReturn : DEFAULT_BATCH_SIZE;
    }
}
