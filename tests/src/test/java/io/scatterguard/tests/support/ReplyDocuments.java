package io.scatterguard.tests.support;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** The documents a server's replies are made of. */
final class ReplyDocuments {
    private static final int LARGEST_DOCUMENT_BYTES = 1024 * 1024;
    private static final int SMALLEST_DOCUMENT_BYTES = 100;

    private ReplyDocuments() {}

    static BsonDocument ok() {
        return new BsonDocument("ok", new BsonDouble(1));
    }

    static BsonDocument error(int code, String codeName, String errmsg) {
        return new BsonDocument("ok", new BsonDouble(0))
                .append("errmsg", new BsonString(errmsg))
                .append("code", new BsonInt32(code))
                .append("codeName", new BsonString(codeName));
    }

    /** A reply with a cursor; {@code batchName} is {@code firstBatch} or {@code nextBatch}. */
    static BsonDocument cursor(String namespace, long cursorId, String batchName, List<BsonDocument> batch) {
        BsonDocument cursor = new BsonDocument(batchName, new BsonArray(batch))
                .append("id", new BsonInt64(cursorId))
                .append("ns", new BsonString(namespace));
        return new BsonDocument("cursor", cursor).append("ok", new BsonDouble(1));
    }

    /** Documents {@code {_id, pad}} whose BSON sizes sum up to {@code totalBytes}. */
    static List<BsonDocument> ofBytes(int totalBytes) {
        if (totalBytes < SMALLEST_DOCUMENT_BYTES) {
            throw new IllegalArgumentException(
                    "documentBytes: " + totalBytes + " (expected: at least " + SMALLEST_DOCUMENT_BYTES + ")");
        }
        List<BsonDocument> documents = new ArrayList<>();
        int left = totalBytes;
        while (left > 0) {
            // Whatever remains must be enough for a document of its own.
            int size = left <= LARGEST_DOCUMENT_BYTES
                    ? left
                    : Math.min(LARGEST_DOCUMENT_BYTES, left - SMALLEST_DOCUMENT_BYTES);
            documents.add(ofSize(documents.size(), size));
            left -= size;
        }
        return documents;
    }

    private static BsonDocument ofSize(int id, int size) {
        int empty = RawMessage.bson(padded(id, 0)).length;
        return padded(id, size - empty);
    }

    private static BsonDocument padded(int id, int padBytes) {
        return new BsonDocument("_id", new BsonInt32(id)).append("pad", new BsonBinary(new byte[padBytes]));
    }
}
