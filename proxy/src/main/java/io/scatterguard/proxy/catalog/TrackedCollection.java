package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.nio.ByteBuffer;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A tracked collection, as its document of {@code config.collections} showed it the last time.
 *
 * @param document as it was read
 * @param incarnation null if the document does not tell it
 * @param info null if the document cannot be understood
 * @param problem why; null if it can
 * @param use lives as long as the collection is tracked
 */
record TrackedCollection(
        BsonDocument document,
        @Nullable Incarnation incarnation,
        @Nullable CollectionInfo info,
        @Nullable CatalogProblem problem,
        TableUse use) {

    /** What {@code document} shows of the collection that {@code use} is of. */
    static TrackedCollection of(BsonDocument document, TableUse use) {
        Incarnation incarnation = null;
        try {
            incarnation = Incarnation.of(document);
            CollectionInfo info = CollectionDocument.info(document, incarnation);
            incarnation.chunksKey();
            return new TrackedCollection(document, incarnation, info, null, use);
        } catch (CatalogException e) {
            CatalogProblem problem = new CatalogProblem(use.namespace().fullName(), String.valueOf(e.getMessage()));
            return new TrackedCollection(document, incarnation, null, problem, use);
        }
    }

    Namespace namespace() {
        return use.namespace();
    }

    /** Whether nothing was read of the collection between the two. */
    @SuppressWarnings("ReferenceEquality") // each reading makes a new one
    boolean isSame(TrackedCollection other) {
        return this == other;
    }

    /** Whether {@code other} is the document that this was made of; of two raw ones the bytes tell. */
    boolean isOf(BsonDocument other) {
        if (document instanceof RawBsonDocument mine && other instanceof RawBsonDocument its) {
            ByteBuffer bytes = mine.getByteBuffer().asNIO();
            return bytes.equals(its.getByteBuffer().asNIO());
        }
        return document.equals(other);
    }

    /** Whether {@code other} shows an earlier life of the collection: it was read before this, and came late. */
    boolean isAfter(TrackedCollection other) {
        BsonTimestamp mine = incarnation == null ? null : incarnation.timestamp();
        BsonTimestamp its = other.incarnation == null ? null : other.incarnation.timestamp();
        return mine != null && its != null && mine.compareTo(its) > 0;
    }
}
