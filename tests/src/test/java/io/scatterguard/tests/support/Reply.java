package io.scatterguard.tests.support;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.bson.BsonDocument;

/** How a {@link ScriptedMongos} answers one request: a small program that writes to the connection. */
@FunctionalInterface
public interface Reply {
    void writeTo(ReplyWriter out) throws IOException, InterruptedException;

    /** One document, in the opcode of the request. */
    static Reply document(BsonDocument document) {
        return out -> out.document(document);
    }

    /** One document given as JSON. */
    static Reply json(String json) {
        return document(BsonDocument.parse(json));
    }

    static Reply ok() {
        return json("{ok: 1.0}");
    }

    /** A server error. */
    static Reply error(int code, String codeName, String errmsg) {
        return document(ReplyDocuments.error(code, codeName, errmsg));
    }

    /** A cursor's first batch; {@code cursorId} 0 says that there is no more. */
    static Reply cursor(String namespace, long cursorId, List<BsonDocument> firstBatch) {
        return document(ReplyDocuments.cursor(namespace, cursorId, "firstBatch", firstBatch));
    }

    /**
     * A finished cursor whose {@code firstBatch} holds documents of together exactly {@code documentBytes} bytes of BSON
     * (at least 100), none above 1 MiB.
     */
    static Reply cursorOfBytes(String namespace, int documentBytes) {
        return cursor(namespace, 0, ReplyDocuments.ofBytes(documentBytes));
    }

    /** No answer at all; the connection goes on. */
    static Reply none() {
        return out -> {};
    }

    /** Closes the connection instead of an answer. */
    static Reply close() {
        return ReplyWriter::close;
    }

    /** Bytes as they are, a message or not. */
    static Reply bytes(byte[] bytes) {
        return out -> out.bytes(bytes);
    }

    /** Several replies to one request, {@code moreToCome} on all but the last. */
    static Reply exhaust(List<BsonDocument> documents) {
        return exhaust(documents, new Semaphore(documents.size()));
    }

    /** Like {@link #exhaust(List)}, each reply waiting for a permit of {@code gate}. */
    static Reply exhaust(List<BsonDocument> documents, Semaphore gate) {
        return out -> {
            for (int i = 0; i < documents.size(); i++) {
                gate.acquire();
                out.document(documents.get(i), i < documents.size() - 1 ? WireFrame.MORE_TO_COME : 0);
            }
        };
    }

    /** Holds this reply back until {@code latch} is at zero. */
    default Reply after(CountDownLatch latch) {
        return out -> {
            latch.await();
            writeTo(out);
        };
    }

    /** Sends this reply in writes of at most {@code chunkBytes}. */
    default Reply inChunks(int chunkBytes) {
        return inChunks(chunkBytes, new Semaphore(Integer.MAX_VALUE));
    }

    /** Like {@link #inChunks(int)}, each write waiting for a permit of {@code gate}. */
    default Reply inChunks(int chunkBytes, Semaphore gate) {
        return out -> writeTo(out.through((bytes, next) -> {
            for (int from = 0; from < bytes.length; from += chunkBytes) {
                gate.acquire();
                next.write(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + chunkBytes)));
            }
        }));
    }

    /** Closes the connection after the first {@code count} bytes of this reply, which must be longer. */
    default Reply closingAfter(int count) {
        return out -> writeTo(out.through((bytes, next) -> {
            if (bytes.length <= count) {
                throw new IllegalStateException(
                        "reply of " + bytes.length + " bytes (expected: more than " + count + ")");
            }
            next.write(Arrays.copyOf(bytes, count));
            next.close();
        }));
    }
}
