package io.scatterguard.protocol.bson;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.bson.BsonType;

/**
 * Order-preserving key bytes: comparing two of them as unsigned bytes gives the server's order of the values (simple
 * collation, targeting semantics §4), also across numeric types, and equal values have equal bytes. The bytes of a
 * compound key are those of its fields one after another: an earlier field always outweighs what follows it.
 *
 * <p>A writer: append values, then take the bytes. Not thread-safe.
 */
public final class KeyBytes {
    private static final byte END = 0;
    private static final byte ESCAPED_ZERO = (byte) 0xff;

    private byte[] out;
    private int size;

    public KeyBytes() {
        this(32);
    }

    public KeyBytes(int initialBytes) {
        out = new byte[initialBytes];
    }

    /** The key bytes of one value. */
    public static byte[] of(BsonValueView value) {
        return new KeyBytes().append(value).toByteArray();
    }

    /** The key bytes of a string given by its bytes, which need not be whole characters. */
    public static byte[] ofUtf8(byte[] string) {
        KeyBytes key = new KeyBytes(string.length + 2);
        key.put(TypeClass.STRING.keyByte());
        key.putTerminated(Unpooled.wrappedBuffer(string), 0, string.length);
        return key.toByteArray();
    }

    /** The key bytes of a compound key: the values of {@code document} in its order. */
    public static byte[] ofValues(BsonView document) {
        KeyBytes key = new KeyBytes();
        BsonCursor cursor = document.cursor();
        while (cursor.next()) {
            key.append(cursor.value());
        }
        return key.toByteArray();
    }

    /** Compares two keys in the server's order. */
    public static int compare(byte[] a, byte[] b) {
        return Arrays.compareUnsigned(a, b);
    }

    /** Starts again with no bytes. */
    public KeyBytes clear() {
        size = 0;
        return this;
    }

    /** A copy of what was appended. */
    public byte[] toByteArray() {
        return Arrays.copyOf(out, size);
    }

    /** Appends bytes made by this class. */
    public KeyBytes append(byte[] keyBytes) {
        ensure(keyBytes.length);
        System.arraycopy(keyBytes, 0, out, size, keyBytes.length);
        size += keyBytes.length;
        return this;
    }

    /**
     * Appends a value, which is borrowed.
     *
     * @throws MalformedBsonException if it is nested deeper than {@link BsonView#MAX_DEPTH}
     */
    public KeyBytes append(BsonValueView value) {
        put(TypeClass.of(value.type()).keyByte());
        appendBody(value, 0);
        return this;
    }

    /** Appends an int64 number, as a hashed field holds it. */
    public KeyBytes appendInt64(long value) {
        put(TypeClass.NUMBER.keyByte());
        NumberKeyBytes.append(this, value);
        return this;
    }

    private void appendBody(BsonValueView value, int depth) {
        switch (value.type()) {
            case MIN_KEY, MAX_KEY, NULL, UNDEFINED, END_OF_DOCUMENT -> {}
            case INT32 -> NumberKeyBytes.append(this, value.int32());
            case INT64 -> NumberKeyBytes.append(this, value.int64());
            case DOUBLE -> NumberKeyBytes.append(this, value.float64());
            case DECIMAL128 -> NumberKeyBytes.append(this, value.decimal128());
            case STRING, SYMBOL, JAVASCRIPT -> putTerminated(value.bytes(), value.offset() + 4, value.length() - 5);
            case DOCUMENT -> appendMembers(value.document(), true, depth + 1);
            case ARRAY -> appendMembers(value.document(), false, depth + 1);
            case BINARY -> {
                int length = value.length() - 5;
                putInt(length);
                putRaw(value.bytes(), value.offset() + 4, 1 + length);
            }
            case OBJECT_ID, BOOLEAN -> putRaw(value.bytes(), value.offset(), value.length());
            case DATE_TIME -> putLong(value.int64() ^ Long.MIN_VALUE);
            case TIMESTAMP -> putLong(value.int64());
            case REGULAR_EXPRESSION -> putRaw(value.bytes(), value.offset(), value.length());
            case DB_POINTER -> {
                putInt(value.length());
                putRaw(value.bytes(), value.offset(), value.length());
            }
            case JAVASCRIPT_WITH_SCOPE -> appendCodeWithScope(value, depth + 1);
        }
    }

    /** Members pairwise: class, name, value; then an end mark below every class byte, so that the shorter is smaller. */
    private void appendMembers(BsonView members, boolean withNames, int depth) {
        if (depth > BsonView.MAX_DEPTH) {
            throw new MalformedBsonException("nesting: more than " + BsonView.MAX_DEPTH + " levels");
        }
        BsonCursor cursor = members.cursor();
        while (cursor.next()) {
            put(TypeClass.of(cursor.type()).keyByte());
            if (withNames) {
                for (int i = 0; i < cursor.nameLength(); i++) {
                    put(cursor.nameByte(i));
                }
                put(END);
            }
            appendBody(cursor.value(), depth);
        }
        put(END);
    }

    private void appendCodeWithScope(BsonValueView value, int depth) {
        ByteBuf bytes = value.bytes();
        int limit = value.offset() + value.length();
        int code = value.offset() + 4;
        int codeLength = BsonSizes.valueLength(BsonType.JAVASCRIPT, bytes, code, limit);
        putTerminated(bytes, code + 4, codeLength - 5);
        appendMembers(BsonView.of(bytes, code + codeLength, limit), true, depth);
    }

    /** A string: a zero byte inside becomes 00 FF, the end is 00; what follows an end is never FF. */
    private void putTerminated(ByteBuf bytes, int offset, int length) {
        ensure(length + 1);
        for (int i = 0; i < length; i++) {
            byte b = bytes.getByte(offset + i);
            put(b);
            if (b == 0) {
                put(ESCAPED_ZERO);
            }
        }
        put(END);
    }

    private void putRaw(ByteBuf bytes, int offset, int length) {
        ensure(length);
        bytes.getBytes(offset, out, size, length);
        size += length;
    }

    void put(byte b) {
        ensure(1);
        out[size++] = b;
    }

    void putInt(int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            put((byte) (value >>> shift));
        }
    }

    void putLong(long value) {
        putInt((int) (value >>> 32));
        putInt((int) value);
    }

    int size() {
        return size;
    }

    /** Inverts every byte from {@code from} on, so that the order is turned round. */
    void invertFrom(int from) {
        for (int i = from; i < size; i++) {
            out[i] = (byte) ~out[i];
        }
    }

    private void ensure(int more) {
        if (out.length - size < more) {
            out = Arrays.copyOf(out, Math.max(size + more, out.length * 2));
        }
    }
}
