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
    private final int limit;
    private int next;
    private int nameOffset;
    private int nameLength;
    private int valueOffset;
    private int valueLength;
    private BsonType type = BsonType.END_OF_DOCUMENT;

    /** {@code limit} is the position of the document's terminator. */
    BsonCursor(ByteBuf bytes, int first, int limit) {
        this.bytes = bytes;
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
        nameLength = cStringLength(bytes, nameOffset, limit);
        valueOffset = nameOffset + nameLength + 1;
        valueLength = BsonSizes.valueLength(type, bytes, valueOffset, limit);
        next = valueOffset + valueLength;
        return true;
    }

    /** The type of the present element. */
    public BsonType type() {
        return type;
    }

    /** The name of the present element; allocates. */
    public String name() {
        return bytes.toString(nameOffset, nameLength, StandardCharsets.UTF_8);
    }

    /** The length of the present element's name in bytes. */
    public int nameLength() {
        return nameLength;
    }

    /** The byte of the name at {@code index}. */
    public byte nameByte(int index) {
        return bytes.getByte(nameOffset + index);
    }

    /** Whether the name is {@code ascii}, compared without allocating. */
    public boolean nameEquals(String ascii) {
        return nameLength == ascii.length() && regionEquals(ascii);
    }

    /** Whether the name begins with {@code ascii}. */
    public boolean nameStartsWith(String ascii) {
        return nameLength >= ascii.length() && regionEquals(ascii);
    }

    private boolean regionEquals(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            if (bytes.getByte(nameOffset + i) != (byte) ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The present element's value; it borrows the same bytes. */
    public BsonValueView value() {
        return new BsonValueView(type, bytes, valueOffset, valueLength);
    }

    /** Where the present element starts (its type byte) in the borrowed bytes. */
    public int elementOffset() {
        return nameOffset - 1;
    }

    /** How many bytes the present element takes, type byte and name included. */
    public int elementLength() {
        return valueOffset + valueLength - nameOffset + 1;
    }

    static int cStringLength(ByteBuf bytes, int offset, int limit) {
        int length = limit > offset ? bytes.bytesBefore(offset, limit - offset, (byte) 0) : -1;
        if (length < 0) {
            throw new MalformedBsonException("element name or C string without its terminator");
        }
        return length;
    }
}
