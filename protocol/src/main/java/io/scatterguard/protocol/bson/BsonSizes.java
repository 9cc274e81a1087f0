package io.scatterguard.protocol.bson;

import io.netty.buffer.ByteBuf;
import org.bson.BsonType;

/** How long a value is, read from bytes that are not trusted. */
final class BsonSizes {
    private BsonSizes() {}

    /**
     * The length in bytes of the value of {@code type} at {@code offset}.
     *
     * @throws MalformedBsonException if the value reaches beyond {@code limit}
     */
    static int valueLength(BsonType type, ByteBuf bytes, int offset, int limit) {
        int left = limit - offset;
        int length = switch (type) {
            case END_OF_DOCUMENT, UNDEFINED, NULL, MIN_KEY, MAX_KEY -> 0;
            case BOOLEAN -> 1;
            case INT32 -> 4;
            case DOUBLE, DATE_TIME, TIMESTAMP, INT64 -> 8;
            case OBJECT_ID -> 12;
            case DECIMAL128 -> 16;
            case STRING, SYMBOL, JAVASCRIPT -> stringLength(bytes, offset, left);
            case DB_POINTER -> Math.addExact(stringLength(bytes, offset, left - 12), 12);
            case DOCUMENT, ARRAY -> prefixed(bytes, offset, left, BsonView.MIN_SIZE_BYTES);
            case JAVASCRIPT_WITH_SCOPE -> prefixed(bytes, offset, left, 14);
            case BINARY -> binaryLength(bytes, offset, left);
            case REGULAR_EXPRESSION -> {
                int pattern = BsonCursor.cStringLength(bytes, offset, limit) + 1;
                yield pattern + BsonCursor.cStringLength(bytes, offset + pattern, limit) + 1;
            }
        };
        if (length > left) {
            throw new MalformedBsonException(type + " value: " + length + " bytes (expected: 0.." + left + ")");
        }
        return length;
    }

    private static int stringLength(ByteBuf bytes, int offset, int left) {
        int length = read(bytes, offset, left);
        if (length < 1 || length > left - 4) {
            throw new MalformedBsonException("string length: " + length + " (expected: 1.." + (left - 4) + ")");
        }
        if (bytes.getByte(offset + 3 + length) != 0) {
            throw new MalformedBsonException("string of " + length + " bytes: last byte is not 0");
        }
        return 4 + length;
    }

    private static int binaryLength(ByteBuf bytes, int offset, int left) {
        int length = read(bytes, offset, left);
        if (length < 0 || length > left - 5) {
            throw new MalformedBsonException("binary length: " + length + " (expected: 0.." + (left - 5) + ")");
        }
        return 5 + length;
    }

    private static int prefixed(ByteBuf bytes, int offset, int left, int minimum) {
        int length = read(bytes, offset, left);
        if (length < minimum || length > left) {
            throw new MalformedBsonException(
                    "nested document length: " + length + " (expected: " + minimum + ".." + left + ")");
        }
        return length;
    }

    private static int read(ByteBuf bytes, int offset, int left) {
        if (left < 4) {
            throw new MalformedBsonException("length prefix: " + left + " bytes left (expected: 4)");
        }
        return bytes.getIntLE(offset);
    }
}
