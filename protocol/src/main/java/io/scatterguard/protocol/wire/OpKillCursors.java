package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;

/** OP_KILL_CURSORS: ends cursors that OP_QUERY opened. It is never answered. Servers since 5.1 know it not. */
public final class OpKillCursors extends WireMessage {
    private final int firstCursorIndex;
    private final int size;

    private OpKillCursors(MessageHeader header, ByteBuf bytes, int firstCursorIndex, int size) {
        super(header, bytes);
        this.firstCursorIndex = firstCursorIndex;
        this.size = size;
    }

    /** Decodes the parts. Borrows {@code bytes}; the message returned takes them. */
    static OpKillCursors decode(MessageHeader header, ByteBuf bytes) {
        LegacyFields fields = new LegacyFields(header, bytes);
        fields.int32("reserved");
        int size = fields.int32("numberOfCursorIDs");
        // What the message holds bounds the number, whatever it claims.
        if (size < 0 || (long) size * Long.BYTES != fields.left()) {
            throw fields.wrong("numberOfCursorIDs", size, "8 bytes for each in the " + fields.left() + " that follow");
        }
        int first = bytes.readerIndex() + header.messageLength() - fields.left();
        return new OpKillCursors(header, bytes, first, size);
    }

    /** How many cursors. */
    public int size() {
        return size;
    }

    /** The id of cursor {@code index}, from 0 to {@link #size()}, exclusive. */
    public long cursorId(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        return bytes().getLongLE(firstCursorIndex + index * Long.BYTES);
    }
}
