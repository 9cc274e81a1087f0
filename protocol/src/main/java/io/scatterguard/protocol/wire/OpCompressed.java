package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;

/**
 * OP_COMPRESSED: another message, compressed: its opcode, its size and the compressor, then everything of it but the header.
 *
 * <p>Source: the driver specification "Wire Compression in Drivers".
 */
public final class OpCompressed extends WireMessage {
    /** The bytes between the header and what is compressed. */
    public static final int PREFIX_BYTES = 9;

    private final int originalOpCodeValue;
    private final int uncompressedSize;
    private final int compressorId;

    private OpCompressed(
            MessageHeader header, ByteBuf bytes, int originalOpCodeValue, int uncompressedSize, int compressorId) {
        super(header, bytes);
        this.originalOpCodeValue = originalOpCodeValue;
        this.uncompressedSize = uncompressedSize;
        this.compressorId = compressorId;
    }

    /** Decodes the prefix. Borrows {@code bytes}; the message returned takes them. */
    static OpCompressed decode(MessageHeader header, ByteBuf bytes) {
        int at = bytes.readerIndex() + MessageHeader.SIZE_BYTES;
        int left = header.messageLength() - MessageHeader.SIZE_BYTES;
        if (left < PREFIX_BYTES) {
            throw new ProtocolException(
                    "OP_COMPRESSED: " + left + " bytes left (expected: at least " + PREFIX_BYTES + ")");
        }
        return new OpCompressed(
                header, bytes, bytes.getIntLE(at), bytes.getIntLE(at + 4), bytes.getUnsignedByte(at + 8));
    }

    public OpCode originalOpCode() {
        return OpCode.of(originalOpCodeValue);
    }

    /** The number of the opcode inside, known or not. */
    public int originalOpCodeValue() {
        return originalOpCodeValue;
    }

    /** As declared by the sender, in bytes, without a header; not to be believed. */
    public int uncompressedSize() {
        return uncompressedSize;
    }

    /** 0 noop, 1 snappy, 2 zlib, 3 zstd. */
    public int compressorId() {
        return compressorId;
    }

    /** What is compressed, a borrowed slice that dies with this message. */
    public ByteBuf compressed() {
        int prefix = MessageHeader.SIZE_BYTES + PREFIX_BYTES;
        return bytes().slice(bytes().readerIndex() + prefix, header().messageLength() - prefix);
    }
}
