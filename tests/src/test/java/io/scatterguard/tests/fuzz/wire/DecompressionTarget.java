package io.scatterguard.tests.fuzz.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.tests.support.PeakAllocator;
import java.util.Arrays;

/**
 * What is inside an OP_COMPRESSED: exactly as long as was declared, or an error; in memory that follows what is really there;
 * and the same after it was compressed again.
 *
 * <p>Input: the message from its ninth byte on: responseTo, and behind the opcode, which is put right, the original opcode,
 * the declared size, the compressor and the data.
 */
public final class DecompressionTarget {
    private static final int MAX_MESSAGE_BYTES = 1024 * 1024;

    /** One buffer of a fixed size to inflate into, twice over. */
    private static final int SLACK_BYTES = 256 * 1024;

    private static final MessageCompression COMPRESSION = MessageCompression.load();

    private DecompressionTarget() {}

    /** Called by Jazzer for every input. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < MessageHeader.SIZE_BYTES) {
            return;
        }
        byte[] onHeap = inflated(input, false);
        byte[] offHeap = inflated(input, true);
        Framing.require(Arrays.equals(onHeap, offHeap), "the same wherever the bytes lie", offHeap.length);
    }

    /** What is inside; empty if that is an error. */
    private static byte[] inflated(byte[] input, boolean direct) {
        PeakAllocator allocator = new PeakAllocator();
        ByteBuf bytes = direct ? allocator.directBuffer(input.length + 8) : allocator.heapBuffer(input.length + 8);
        bytes.writeIntLE(input.length + 8).writeIntLE(77).writeBytes(input);
        bytes.setIntLE(12, OpCode.OP_COMPRESSED.value());
        OpCompressed message;
        try {
            message = (OpCompressed) WireMessage.decode(bytes);
        } catch (ProtocolException e) {
            return new byte[0];
        }
        try {
            return inflated(message, allocator, input.length);
        } finally {
            message.release();
            Framing.require(allocator.liveBytes() == 0, "no buffer is left", allocator.liveBytes() + " bytes");
        }
    }

    private static byte[] inflated(OpCompressed message, PeakAllocator allocator, int arrived) {
        ByteBuf inside;
        try {
            inside = COMPRESSION.inflate(allocator, message, MAX_MESSAGE_BYTES);
        } catch (ProtocolException e) {
            // What was written before it was found to be wrong; never more than was declared, or allowed.
            long most = Math.min(MAX_MESSAGE_BYTES, Math.max(0L, message.uncompressedSize()));
            requirePeak(allocator, 2 * most + 3L * arrived);
            return new byte[0];
        }
        try {
            requirePeak(allocator, 3L * inside.readableBytes() + 3L * arrived);
            byte[] bytes = ByteBufUtil.getBytes(inside);
            agrees(message, inside);
            isTheSameAgain(message, inside, allocator, bytes);
            requireMessageOrError(inside.retainedDuplicate());
            return bytes;
        } finally {
            inside.release();
        }
    }

    private static void requirePeak(PeakAllocator allocator, long most) {
        Framing.require(
                allocator.peakBytes() <= most + SLACK_BYTES, "at most " + most + " bytes", allocator.peakBytes());
    }

    private static void agrees(OpCompressed message, ByteBuf inside) {
        MessageHeader header = MessageHeader.read(inside, inside.readerIndex());
        Framing.require(
                header.messageLength() == MessageHeader.SIZE_BYTES + message.uncompressedSize()
                        && header.messageLength() == inside.readableBytes(),
                "the declared length",
                header);
        Framing.require(
                header.requestId() == message.header().requestId()
                        && header.responseTo() == message.header().responseTo()
                        && header.opCodeValue() == message.originalOpCodeValue(),
                "the header of " + message,
                header);
        Framing.require(header.opCode() != OpCode.OP_COMPRESSED, "no compressed message inside another", header);
    }

    private static void isTheSameAgain(OpCompressed message, ByteBuf inside, PeakAllocator allocator, byte[] bytes) {
        WireMessage again = WireMessage.decode(COMPRESSION.deflate(allocator, inside, message.compressorId()));
        try {
            ByteBuf insideAgain = COMPRESSION.inflate(allocator, (OpCompressed) again, MAX_MESSAGE_BYTES);
            try {
                Framing.require(Arrays.equals(ByteBufUtil.getBytes(insideAgain), bytes), "the same again", insideAgain);
            } finally {
                insideAgain.release();
            }
        } finally {
            again.release();
        }
    }

    /** Takes {@code message}. */
    private static void requireMessageOrError(ByteBuf message) {
        try {
            WireMessage.decode(message).release();
        } catch (ProtocolException | MalformedBsonException e) {
            // As good as a message.
        }
    }

    /** The input that has {@code message}, whole and with its header, in this compressor. */
    static byte[] input(byte[] message, int compressorId) {
        PeakAllocator allocator = new PeakAllocator();
        ByteBuf plain = allocator.heapBuffer().writeBytes(message);
        try {
            ByteBuf compressed = COMPRESSION.deflate(allocator, plain, compressorId);
            byte[] whole = ByteBufUtil.getBytes(compressed);
            compressed.release();
            return input(whole);
        } finally {
            plain.release();
        }
    }

    /** The input that is {@code compressed}, a whole OP_COMPRESSED. */
    static byte[] input(byte[] compressed) {
        return Arrays.copyOfRange(compressed, 8, compressed.length);
    }
}
