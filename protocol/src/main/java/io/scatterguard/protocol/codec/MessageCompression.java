package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.ProtocolException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.SnappyError;

/**
 * The compressors that can be used in this process: those whose native libraries can be loaded. Immutable, for all threads.
 */
public final class MessageCompression {
    private static final int FLAG_BYTES = 4;
    private static final int PREFIX_BYTES = MessageHeader.SIZE_BYTES + OpCompressed.PREFIX_BYTES;

    private final List<Compressor> compressors;
    private final Map<String, String> missing;

    private MessageCompression(List<Compressor> compressors, Map<String, String> missing) {
        this.compressors = List.copyOf(compressors);
        this.missing = Map.copyOf(missing);
    }

    /** Tries every compressor that a server may offer; loads native libraries the first time. */
    public static MessageCompression load() {
        Map<String, Supplier<Compressor>> all = new LinkedHashMap<>();
        all.put("noop", NoopCompressor::new);
        all.put("snappy", SnappyCompressor::new);
        all.put("zlib", ZlibCompressor::new);
        all.put("zstd", ZstdCompressor::new);
        return load(all);
    }

    static MessageCompression load(Map<String, Supplier<Compressor>> all) {
        List<Compressor> loaded = new ArrayList<>();
        Map<String, String> missing = new LinkedHashMap<>();
        all.forEach((name, maker) -> {
            try {
                loaded.add(maker.get());
            } catch (LinkageError | SnappyError | RuntimeException e) {
                missing.put(name, String.valueOf(e));
            }
        });
        return new MessageCompression(loaded, missing);
    }

    /** The compressors that cannot be used, and why: usually that no native library could be unpacked. */
    public Map<String, String> missing() {
        return missing;
    }

    /** Whether {@code name} is a string that names a compressor we can read. */
    boolean reads(BsonValueView name) {
        for (Compressor compressor : compressors) {
            if (name.stringEquals(compressor.text())) {
                return true;
            }
        }
        return false;
    }

    /**
     * The message inside {@code message}, which is borrowed, with a header of its own. Memory grows with what is really
     * inside, whatever was declared.
     *
     * @param maxMessageBytes the largest message accepted, header included
     * @return the whole message, owned by the caller
     * @throws ProtocolException if the declared size is wrong or too large, the compressor is not known, the data are
     *     damaged, or another compressed message is inside
     */
    public ByteBuf inflate(ByteBufAllocator alloc, OpCompressed message, int maxMessageBytes) {
        int size = message.uncompressedSize();
        if (size < 0 || size > maxMessageBytes - MessageHeader.SIZE_BYTES) {
            throw new ProtocolException("uncompressedSize: " + size + " (expected: 0.."
                    + (maxMessageBytes - MessageHeader.SIZE_BYTES) + ")");
        }
        if (message.originalOpCode() == OpCode.OP_COMPRESSED) {
            throw new ProtocolException("originalOpcode: OP_COMPRESSED (expected: a message that is not compressed)");
        }
        Compressor compressor = compressor(message.compressorId());
        if (compressor == null) {
            throw new ProtocolException("compressorId: " + message.compressorId() + " (expected: one of "
                    + compressors.stream().map(c -> c.id() + " " + c.text()).toList() + ")");
        }
        BoundedOutput out = new BoundedOutput(alloc, MessageHeader.SIZE_BYTES, size);
        boolean inflated = false;
        try {
            MessageHeader header = message.header();
            int length = MessageHeader.SIZE_BYTES + size;
            new MessageHeader(length, header.requestId(), header.responseTo(), message.originalOpCodeValue())
                    .writeTo(out.head());
            decompress(alloc, compressor, message, out);
            if (out.written() != length) {
                int found = out.written() - MessageHeader.SIZE_BYTES;
                throw new ProtocolException(
                        "uncompressedSize: " + size + " (expected: " + found + ", what was inside)");
            }
            ByteBuf whole = out.take();
            inflated = true;
            return whole;
        } finally {
            if (!inflated) {
                out.release();
            }
        }
    }

    /**
     * The flag bits of the OP_MSG inside a compressed message that may be cut off; 0 if it is no OP_MSG, or if too little
     * of it is there: with zstd up to 128 KiB are needed.
     *
     * @param message the beginning of one OP_COMPRESSED, borrowed
     * @throws ProtocolException if the data are damaged
     */
    public int flagBits(ByteBufAllocator alloc, ByteBuf message) {
        int at = message.readerIndex();
        boolean opMsg = message.readableBytes() > PREFIX_BYTES
                && OpCode.of(message.getIntLE(at + MessageHeader.SIZE_BYTES)) == OpCode.OP_MSG;
        Compressor compressor = opMsg ? compressor(message.getUnsignedByte(at + PREFIX_BYTES - 1)) : null;
        if (compressor == null) {
            return 0;
        }
        ByteBuf in = direct(alloc, message.slice(at + PREFIX_BYTES, message.readableBytes() - PREFIX_BYTES));
        ByteBuf out = alloc.directBuffer(FLAG_BYTES, FLAG_BYTES).writeZero(FLAG_BYTES);
        try {
            return compressor.begin(in.nioBuffer(), out.nioBuffer()) ? out.getIntLE(0) : 0;
        } finally {
            in.release();
            out.release();
        }
    }

    private static void decompress(
            ByteBufAllocator alloc, Compressor compressor, OpCompressed message, BoundedOutput out) {
        ByteBuf compressed = direct(alloc, message.compressed());
        try {
            compressor.decompress(compressed.nioBuffer(), message.uncompressedSize(), out);
        } finally {
            compressed.release();
        }
    }

    /**
     * {@code message}, which is borrowed, as an OP_COMPRESSED.
     *
     * @param compressorId of one that {@link #inflate} has read
     * @return the whole message, owned by the caller
     */
    public ByteBuf deflate(ByteBufAllocator alloc, ByteBuf message, int compressorId) {
        Compressor compressor = compressor(compressorId);
        if (compressor == null) {
            throw new IllegalArgumentException("compressorId: " + compressorId + " (expected: one that is loaded)");
        }
        MessageHeader header = MessageHeader.read(message, message.readerIndex());
        int size = message.readableBytes() - MessageHeader.SIZE_BYTES;
        int most = PREFIX_BYTES + compressor.maxCompressedBytes(size);
        ByteBuf in = direct(alloc, message.slice(message.readerIndex() + MessageHeader.SIZE_BYTES, size));
        ByteBuf out = null;
        try {
            ByteBuf bytes = alloc.directBuffer(most, most);
            out = bytes;
            int length = PREFIX_BYTES
                    + compressor.compress(in.nioBuffer(), bytes.nioBuffer(PREFIX_BYTES, most - PREFIX_BYTES));
            new MessageHeader(length, header.requestId(), header.responseTo(), OpCode.OP_COMPRESSED.value())
                    .writeTo(bytes);
            bytes.writeIntLE(header.opCodeValue()).writeIntLE(size).writeByte(compressorId);
            bytes.writerIndex(length);
            out = null;
            return bytes;
        } finally {
            in.release();
            if (out != null) {
                out.release();
            }
        }
    }

    private @Nullable Compressor compressor(int id) {
        for (Compressor compressor : compressors) {
            if (compressor.id() == id) {
                return compressor;
            }
        }
        return null;
    }

    /** The bytes in one direct buffer, as native code wants them, copied where they are not; owned by the caller. */
    private static ByteBuf direct(ByteBufAllocator alloc, ByteBuf bytes) {
        boolean usable = bytes.isDirect() && bytes.nioBufferCount() == 1;
        return usable
                ? bytes.retain()
                : alloc.directBuffer(bytes.readableBytes()).writeBytes(bytes);
    }
}
