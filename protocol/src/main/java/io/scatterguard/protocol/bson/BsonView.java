package io.scatterguard.protocol.bson;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A BSON document or array over bytes that somebody else owns. It is valid only as long as those bytes are; it never
 * retains or releases them. The length prefix and the terminator are checked when the view is made, every element when
 * a cursor reaches it.
 */
public final class BsonView {
    /** The deepest nesting that is followed, as in the server (its {@code BSONDepth} default is 200). */
    public static final int MAX_DEPTH = 200;

    static final int MIN_SIZE_BYTES = 5;
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final ByteBuf bytes;
    private final int offset;
    private final int sizeBytes;

    private BsonView(ByteBuf bytes, int offset, int sizeBytes) {
        this.bytes = bytes;
        this.offset = offset;
        this.sizeBytes = sizeBytes;
    }

    /**
     * A view of the document that starts at {@code offset} and must end at or before {@code limit}. Borrows
     * {@code bytes}.
     *
     * @throws MalformedBsonException if the length does not fit or the terminator is missing
     */
    public static BsonView of(ByteBuf bytes, int offset, int limit) {
        if (limit - offset < MIN_SIZE_BYTES) {
            throw new MalformedBsonException(
                    "document: " + (limit - offset) + " bytes left (expected: at least " + MIN_SIZE_BYTES + ")");
        }
        int size = bytes.getIntLE(offset);
        if (size < MIN_SIZE_BYTES || size > limit - offset) {
            throw new MalformedBsonException(
                    "document length: " + size + " (expected: " + MIN_SIZE_BYTES + ".." + (limit - offset) + ")");
        }
        if (bytes.getByte(offset + size - 1) != 0) {
            throw new MalformedBsonException("document of " + size + " bytes: last byte is not 0");
        }
        return new BsonView(bytes, offset, size);
    }

    /** A view of one whole document that fills {@code bytes} from its reader index. Borrows {@code bytes}. */
    public static BsonView of(ByteBuf bytes) {
        return of(bytes, bytes.readerIndex(), bytes.writerIndex());
    }

    /** A view over heap bytes of its own, encoded from {@code document}; it has no owner and never dies. */
    public static BsonView encode(BsonDocument document) {
        BasicOutputBuffer out = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(out)) {
            CODEC.encode(writer, document, EncoderContext.builder().build());
        }
        return of(Unpooled.wrappedBuffer(out.toByteArray()));
    }

    /** The size in bytes, length prefix and terminator included. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /** Where the document starts in the bytes it borrows. */
    public int offset() {
        return offset;
    }

    /** True if there is no element. */
    public boolean isEmpty() {
        return sizeBytes == MIN_SIZE_BYTES;
    }

    /** A new cursor before the first element. */
    public BsonCursor cursor() {
        return new BsonCursor(bytes, offset + 4, offset + sizeBytes - 1);
    }

    /** The value of the first element named {@code name}, or null. The name must be plain ASCII. */
    public @Nullable BsonValueView get(String name) {
        BsonCursor cursor = cursor();
        while (cursor.next()) {
            if (cursor.nameEquals(name)) {
                return cursor.value();
            }
        }
        return null;
    }

    /** A cursor at the first element named {@code name}, or null. The name must be plain ASCII. */
    public @Nullable BsonCursor cursorAt(String name) {
        BsonCursor cursor = cursor();
        while (cursor.next()) {
            if (cursor.nameEquals(name)) {
                return cursor;
            }
        }
        return null;
    }

    /** A copy of the raw bytes, length prefix and terminator included. */
    public byte[] toByteArray() {
        return ByteBufUtil.getBytes(bytes, offset, sizeBytes);
    }

    /** Appends the raw bytes to {@code out}, which is borrowed. */
    public void writeTo(ByteBuf out) {
        out.writeBytes(bytes, offset, sizeBytes);
    }

    /**
     * Decodes everything into objects of its own; for people, configuration and tests, not for the data path.
     *
     * @throws MalformedBsonException if it is no BSON, or nested deeper than {@link #MAX_DEPTH}
     */
    public BsonDocument toBsonDocument() {
        requireDepth(this, 0);
        try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(toByteArray()))) {
            return CODEC.decode(reader, DecoderContext.builder().build());
        } catch (RuntimeException e) {
            throw new MalformedBsonException("document of " + sizeBytes + " bytes: " + e.getMessage());
        }
    }

    /** The decoder recurses without a limit of its own. */
    private static void requireDepth(BsonView document, int depth) {
        if (depth > MAX_DEPTH) {
            throw new MalformedBsonException(
                    "document depth: more than " + MAX_DEPTH + " levels (expected: at most that)");
        }
        BsonCursor cursor = document.cursor();
        while (cursor.next()) {
            BsonType type = cursor.type();
            if (type == BsonType.DOCUMENT || type == BsonType.ARRAY) {
                requireDepth(cursor.value().document(), depth + 1);
            } else if (type == BsonType.JAVASCRIPT_WITH_SCOPE) {
                requireDepth(cursor.value().scope(), depth + 1);
            }
        }
    }

    /** The names only: a document's values may be secrets, so they never reach a log by accident. */
    @Override
    public String toString() {
        return "BsonView[" + sizeBytes + " bytes]";
    }
}
