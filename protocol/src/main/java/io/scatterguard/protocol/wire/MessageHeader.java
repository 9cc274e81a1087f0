package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;

/**
 * The 16 bytes before every message: four little-endian int32.
 *
 * @param messageLength the whole message in bytes, this header included
 * @param requestId chosen by the sender
 * @param responseTo the {@code requestId} this answers, 0 in a request
 * @param opCodeValue the opcode's number, known or not
 */
public record MessageHeader(int messageLength, int requestId, int responseTo, int opCodeValue) {
    /** The size of a header in bytes. */
    public static final int SIZE_BYTES = 16;

    /**
     * The largest message a server of today accepts ({@code maxMessageSizeBytes} in its {@code hello}); used until the
     * server behind this connection has said its own.
     */
    public static final int DEFAULT_MAX_MESSAGE_BYTES = 48_000_000;

    /** Reads the header at {@code offset}. Borrows {@code bytes}, which must hold 16 bytes from there. */
    public static MessageHeader read(ByteBuf bytes, int offset) {
        return new MessageHeader(
                bytes.getIntLE(offset),
                bytes.getIntLE(offset + 4),
                bytes.getIntLE(offset + 8),
                bytes.getIntLE(offset + 12));
    }

    /** Appends the header to {@code out}, which is borrowed. */
    public void writeTo(ByteBuf out) {
        out.writeIntLE(messageLength)
                .writeIntLE(requestId)
                .writeIntLE(responseTo)
                .writeIntLE(opCodeValue);
    }

    public OpCode opCode() {
        return OpCode.of(opCodeValue);
    }

    /**
     * Checks the length before anything is allocated for it.
     *
     * @throws ProtocolException if it is below the header's size or above {@code maxMessageBytes}
     */
    public MessageHeader requireLength(int maxMessageBytes) {
        if (messageLength < SIZE_BYTES || messageLength > maxMessageBytes) {
            throw new ProtocolException(
                    "messageLength: " + messageLength + " (expected: " + SIZE_BYTES + ".." + maxMessageBytes + ")");
        }
        return this;
    }
}
