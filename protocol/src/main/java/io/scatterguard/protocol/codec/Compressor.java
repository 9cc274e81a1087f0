package io.scatterguard.protocol.codec;

import io.scatterguard.protocol.wire.ProtocolException;
import java.nio.ByteBuffer;

/**
 * One way to compress messages; holds nothing between two calls. All buffers are direct, and borrowed.
 *
 * <p>Source of ids and names: the driver specification "Wire Compression in Drivers".
 */
interface Compressor {
    /** As OP_COMPRESSED names it, 0..255. */
    int id();

    /** As {@code hello} names it. */
    String text();

    /**
     * Decompresses all of {@code in} into {@code out}, whose bound is never exceeded.
     *
     * @param size how many bytes are expected
     * @throws ProtocolException if {@code in} is not what this compressor writes, or holds more than {@code size}
     */
    void decompress(ByteBuffer in, int size, BoundedOutput out);

    /**
     * Decompresses only as much of {@code in}, which may be cut off anywhere, as fills {@code out}.
     *
     * @return whether {@code out} is full
     * @throws ProtocolException if {@code in} is not what this compressor writes
     */
    boolean begin(ByteBuffer in, ByteBuffer out);

    /** The most bytes that {@code size} bytes can become. */
    int maxCompressedBytes(int size);

    /** Compresses all of {@code in} into {@code out}; returns how many bytes were written from its position on. */
    int compress(ByteBuffer in, ByteBuffer out);
}
