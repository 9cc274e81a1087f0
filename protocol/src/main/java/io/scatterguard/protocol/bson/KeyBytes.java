package io.scatterguard.protocol.bson;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private static final int BULK_BYTES = 64;
    private static final byte END = 0;
    private static final byte ESCAPED_ZERO = (byte) 0xff;

    /** Enough for a key of numbers. */
    private static final int INITIAL_BYTES = 32;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] out;
    private int size;

    public KeyBytes() {
        this(INITIAL_BYTES);
    }

    public KeyBytes(int initialBytes) {
        out = new byte[initialBytes];
    }

    private KeyBytes(byte[] keyBytes, int size) {
        this.out = keyBytes;
        this.size = size;
    }

    /** A view of bytes made by this class; takes them. */
    public static KeyBytes wrap(byte[] keyBytes) {
        return new KeyBytes(keyBytes, keyBytes.length);
    }

    /** The key bytes of one value. */
    public static byte[] of(BsonValueView value) {
        KeyBytes key = new KeyBytes(usualSize(value)).append(value);
        return key.size == key.out.length ? key.out : key.toByteArray();
    }

    /** Exact for most values, near for others. */
    private static int usualSize(BsonValueView value) {
        return switch (value.type()) {
            case INT32, INT64, DOUBLE -> 11;
            case STRING, SYMBOL -> value.length() - 3;
            case DATE_TIME, TIMESTAMP, OBJECT_ID, BOOLEAN, NULL, MIN_KEY, MAX_KEY, BINARY -> value.length() + 1;
            default -> value.length() + 12;
        };
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

    /** As {@link #compare}, with what was appended here before {@code other}. */
    public int compareTo(byte[] other) {
        return Arrays.compareUnsigned(out, 0, size, other, 0, other.length);
    }

    /**
     * A number below {@code count} that depends on nothing but the bytes, and spreads keys evenly.
     *
     * @param count at least 1
     */
    public int pick(int count) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < size; i++) {
            hash = (hash ^ out[i]) * FNV_PRIME;
        }
        return (int) Math.floorMod(hash ^ hash >>> 32, (long) count);
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
        return append(value.type(), value.bytes(), value.offset(), value.length());
    }

    /** As {@link #append(BsonValueView)}, the value of the present element. */
    public KeyBytes append(BsonCursor element) {
        element.appendValueTo(this);
        return this;
    }

    KeyBytes append(BsonType type, ByteBuf bytes, int offset, int length) {
        put(TypeClass.of(type).keyByte());
        appendBody(type, bytes, offset, length, 0);
        return this;
    }

    /** Appends an int64 number, as a hashed field holds it. */
    public KeyBytes appendInt64(long value) {
        put(TypeClass.NUMBER.keyByte());
        NumberKeyBytes.append(this, value);
        return this;
    }

    private void appendBody(BsonType type, ByteBuf bytes, int offset, int length, int depth) {
        switch (type) {
            case MIN_KEY, MAX_KEY, NULL, UNDEFINED, END_OF_DOCUMENT -> {}
            case INT32 -> NumberKeyBytes.append(this, bytes.getIntLE(offset));
            case INT64 -> NumberKeyBytes.append(this, bytes.getLongLE(offset));
            case DOUBLE -> NumberKeyBytes.append(this, Double.longBitsToDouble(bytes.getLongLE(offset)));
            case DECIMAL128 ->
                NumberKeyBytes.append(this, view(type, bytes, offset, length).decimal128());
            case STRING, SYMBOL, JAVASCRIPT -> putTerminated(bytes, offset + 4, length - 5);
            case DOCUMENT -> appendMembers(view(type, bytes, offset, length).document(), true, depth + 1);
            case ARRAY -> appendMembers(view(type, bytes, offset, length).document(), false, depth + 1);
            case BINARY -> {
                putInt(length - 5);
                putRaw(bytes, offset + 4, length - 4);
            }
            case OBJECT_ID, BOOLEAN, REGULAR_EXPRESSION -> putRaw(bytes, offset, length);
            case DATE_TIME -> putLong(bytes.getLongLE(offset) ^ Long.MIN_VALUE);
            case TIMESTAMP -> putLong(bytes.getLongLE(offset));
            case DB_POINTER -> {
                putInt(length);
                putRaw(bytes, offset, length);
            }
            case JAVASCRIPT_WITH_SCOPE -> appendCodeWithScope(bytes, offset, length, depth + 1);
        }
    }

    private static BsonValueView view(BsonType type, ByteBuf bytes, int offset, int length) {
        return new BsonValueView(type, bytes, offset, length);
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
            BsonValueView value = cursor.value();
            appendBody(value.type(), value.bytes(), value.offset(), value.length(), depth);
        }
        put(END);
    }

    private void appendCodeWithScope(ByteBuf bytes, int offset, int length, int depth) {
        int limit = offset + length;
        int code = offset + 4;
        int codeLength = BsonSizes.valueLength(BsonType.JAVASCRIPT, bytes, code, limit);
        putTerminated(bytes, code + 4, codeLength - 5);
        appendMembers(BsonView.of(bytes, code + codeLength, limit), true, depth);
    }

    /** A string: a zero byte inside becomes 00 FF, the end is 00; what follows an end is never FF. */
    private void putTerminated(ByteBuf bytes, int offset, int length) {
        ensure(length + 1);
        int from = size;
        putRaw(bytes, offset, length);
        int zero = from;
        while (zero < size && out[zero] != 0) {
            zero++;
        }
        if (zero < size) {
            size = from;
            putEscaped(bytes, offset, offset + length);
        }
        put(END);
    }

    private void putEscaped(ByteBuf bytes, int offset, int limit) {
        for (int i = offset; i < limit; i++) {
            byte b = bytes.getByte(i);
            put(b);
            if (b == 0) {
                put(ESCAPED_ZERO);
            }
        }
    }

    /** Few bytes are read by themselves: where Netty may not use Unsafe, a buffer allocates for a copy of several. */
    private void putRaw(ByteBuf bytes, int offset, int length) {
        ensure(length);
        if (length > BULK_BYTES) {
            bytes.getBytes(offset, out, size, length);
        } else {
            int i = 0;
            for (; i <= length - Long.BYTES; i += Long.BYTES) {
                LONG.set(out, size + i, bytes.getLong(offset + i));
            }
            for (; i < length; i++) {
                out[size + i] = bytes.getByte(offset + i);
            }
        }
        size += length;
    }

    void put(byte b) {
        ensure(1);
        out[size++] = b;
    }

    void putInt(int value) {
        ensure(Integer.BYTES);
        INT.set(out, size, value);
        size += Integer.BYTES;
    }

    void putLong(long value) {
        ensure(Long.BYTES);
        LONG.set(out, size, value);
        size += Long.BYTES;
    }

    /** How many bytes were appended. */
    public int size() {
        return size;
    }

    /** Takes back what was appended after the first {@code shorter} bytes. */
    public void truncate(int shorter) {
        if (shorter < 0 || shorter > size) {
            throw new IllegalArgumentException("size: " + shorter + " (expected: 0.." + size + ")");
        }
        size = shorter;
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
