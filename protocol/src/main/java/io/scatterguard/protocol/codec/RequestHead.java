package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;

/**
 * What the first bytes of a request say of its size.
 *
 * @param messageLength of the request as it is sent, in bytes
 * @param memoryBytes what it takes to hold it and to look at it: a compressed one is inflated for that
 */
record RequestHead(int messageLength, long memoryBytes) {
    /** The part of an OP_COMPRESSED behind the header that says how large the contents are. */
    private static final int COMPRESSED_PREFIX_BYTES = 9;

    private static final int UNCOMPRESSED_SIZE_AT = MessageHeader.SIZE_BYTES + 4;

    /** How many bytes of a message with this header {@link #memoryBytes} looks at; at most the whole message. */
    static int neededBytes(MessageHeader header) {
        int prefix = header.opCode() == OpCode.OP_COMPRESSED ? COMPRESSED_PREFIX_BYTES : 0;
        return Math.min(MessageHeader.SIZE_BYTES + prefix, header.messageLength());
    }

    /**
     * What a message takes in memory.
     *
     * @param header of a permitted length
     * @param bytes borrowed; {@link #neededBytes} of the message are there from index {@code at}
     */
    static long memoryBytes(MessageHeader header, ByteBuf bytes, int at, int maxMessageBytes) {
        int length = header.messageLength();
        if (neededBytes(header) < MessageHeader.SIZE_BYTES + COMPRESSED_PREFIX_BYTES) {
            return length;
        }
        // Whoever inflates rejects a size beyond the largest message; nobody needs room for it.
        int claimed = bytes.getIntLE(at + UNCOMPRESSED_SIZE_AT);
        return (long) length + Math.max(0, Math.min(claimed, maxMessageBytes));
    }
}
