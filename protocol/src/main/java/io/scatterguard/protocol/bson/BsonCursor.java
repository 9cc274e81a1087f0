package io.scatterguard.protocol.bson;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.bson.BsonType;

/**
 * Walks the elements of a document or array in order. Every length is checked against the document that holds it
 * before it is believed.
 */
public final class BsonCursor {
    private final ByteBuf bytes;
    private int first;
    private int limit;
    private int next;
    private int nameOffset;
    private int valueOffset;
    private BsonType type = BsonType.END_OF_DOCUMENT;

    /** {@code limit} is the position of the document's terminator. */
    BsonCursor(ByteBuf bytes, int first, int limit) {
        this.bytes = bytes;
        this.first = first;
        this.next = first;
        this.limit = limit;
    }

    /**
     * Moves to the next element.
     *
     * @return false at the end of the document
     * @throws MalformedBsonException if the element does not fit into the document or has an unknown type
     */
    public boolean next() {
        if (next == limit) {
            type = BsonType.END_OF_DOCUMENT;
            return false;
        }
        byte code = bytes.getByte(next);
        BsonType found = code == 0 ? null : BsonType.findByValue(code & 0xff);
        if (found == null) {
            throw new MalformedBsonException("element type: " + (code & 0xff) + " (expected: a BSON type)");
        }
        type = found;
        nameOffset = next + 1;
        valueOffset = nameOffset + cStringLength(bytes, nameOffset, limit) + 1;
        next = valueOffset + BsonSizes.valueLength(found, bytes, valueOffset, limit);
        return true;
    }

    /** Goes back before the first element. */
    public BsonCursor rewind() {
        next = first;
        return this;
    }

    /**
     * Goes before the first element of the document or array that is the present element, and never comes back.
     *
     * @throws MalformedBsonException if it is neither, or does not end as one
     */
    public BsonCursor enter() {
        if (type != BsonType.DOCUMENT && type != BsonType.ARRAY) {
            throw new MalformedBsonException("value type: " + type + " (expected: DOCUMENT or ARRAY)");
        }
        if (bytes.getByte(next - 1) != 0) {
            throw new MalformedBsonException(type + " of " + (next - valueOffset) + " bytes: last byte is not 0");
        }
        first = valueOffset + 4;
        limit = next - 1;
        return rewind();
    }

    /** The type of the present element. */
    public BsonType type() {
        return type;
    }

    /** The name of the present element; allocates. */
    public String name() {
        return bytes.toString(nameOffset, nameLength(), StandardCharsets.UTF_8);
    }

    /** The length of the present element's name in bytes. */
    public int nameLength() {
        return valueOffset - nameOffset - 1;
    }

    /** The byte of the name at {@code index}. */
    public byte nameByte(int index) {
        return bytes.getByte(nameOffset + index);
    }

    /** Whether the name is {@code ascii}, compared without allocating; never true of a text beyond ASCII. */
    public boolean nameEquals(String ascii) {
        return nameLength() == ascii.length() && regionEquals(ascii, ascii.length());
    }

    /** Whether the name begins with {@code ascii}. */
    public boolean nameStartsWith(String ascii) {
        return nameLength() >= ascii.length() && regionEquals(ascii, ascii.length());
    }

    /** Whether {@code ascii} begins with the name. */
    public boolean nameIsPrefixOf(String ascii) {
        return nameLength() <= ascii.length() && regionEquals(ascii, nameLength());
    }

    /** A byte is negative where a character is beyond ASCII, so that those are never equal. */
    private boolean regionEquals(String ascii, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes.getByte(nameOffset + i) != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the name has no character beyond ASCII. */
    public boolean nameIsAscii() {
        for (int i = nameOffset; i < valueOffset - 1; i++) {
            if (bytes.getByte(i) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The hash of the name; that of a string of the same characters, if they are ASCII. */
    public int nameHash() {
        int hash = 0;
        for (int i = nameOffset; i < valueOffset - 1; i++) {
            hash = 31 * hash + bytes.getByte(i);
        }
        return hash;
    }

    /** The present element's value; it borrows the same bytes. */
    public BsonValueView value() {
        return new BsonValueView(type, bytes, valueOffset, next - valueOffset);
    }

    /**
     * The text of the present element's value, a string, symbol or code.
     *
     * @param cache where the text is looked for first; cuts what is too long for a name
     */
    public String string(StringCache cache) {
        if (type != BsonType.STRING && type != BsonType.SYMBOL && type != BsonType.JAVASCRIPT) {
            throw new MalformedBsonException("value type: " + type + " (expected: STRING)");
        }
        return cache.get(bytes, valueOffset + 4, next - valueOffset - 5);
    }

    /** Appends the key bytes of the present element's value to {@code key}. */
    void appendValueTo(KeyBytes key) {
        key.append(type, bytes, valueOffset, next - valueOffset);
    }

    /** Where the present element starts (its type byte) in the borrowed bytes. */
    public int elementOffset() {
        return nameOffset - 1;
    }

    /** How many bytes the present element takes, type byte and name included. */
    public int elementLength() {
        return next - nameOffset + 1;
    }

    /** How many bytes there are from {@code offset} to the next zero byte; looks at eight at a time, as long as there are. */
    static int cStringLength(ByteBuf bytes, int offset, int limit) {
        int at = offset;
        for (; limit - at >= Long.BYTES; at += Long.BYTES) {
            long word = bytes.getLongLE(at);
            // The lowest bit that is left stands in the first byte that is zero.
            long zeros = (word - 0x0101010101010101L) & ~word & 0x8080808080808080L;
            if (zeros != 0) {
                return at - offset + Long.numberOfTrailingZeros(zeros) / Byte.SIZE;
            }
        }
        for (; at < limit; at++) {
            if (bytes.getByte(at) == 0) {
                return at - offset;
            }
        }
        throw new MalformedBsonException("element name or C string without its terminator");
    }
}
