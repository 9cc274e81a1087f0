package io.scatterguard.protocol.codec;

import io.scatterguard.protocol.wire.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;

/**
 * Compressor 1: snappy's raw format, which begins with the length of what is compressed. It is written at once, so the
 * length and the whole structure are checked before room is made for it.
 */
final class SnappyCompressor implements Compressor {
    /** The densest element of the format, a copy with an offset of two bytes: 64 bytes out of 3. */
    private static final int DENSEST_OUT = 64;

    private static final int DENSEST_IN = 3;

    /** Fails with an error of the library where its native part cannot be loaded. */
    SnappyCompressor() {
        Snappy.maxCompressedLength(0);
    }

    @Override
    public int id() {
        return 1;
    }

    @Override
    public String text() {
        return "snappy";
    }

    @Override
    public void decompress(ByteBuffer in, int size, BoundedOutput out) {
        try {
            int length = in.hasRemaining() ? Snappy.uncompressedLength(in) : -1;
            long plausible = (long) in.remaining() * DENSEST_OUT / DENSEST_IN;
            if (length != size || length > plausible) {
                throw new ProtocolException("snappy length: " + length + " of " + in.remaining()
                        + " bytes (expected: uncompressedSize " + size + ", at most " + plausible + ")");
            }
            if (!Snappy.isValidCompressedBuffer(in)) {
                throw new ProtocolException("snappy: invalid data");
            }
            Snappy.uncompress(in, out.room(size));
            out.wrote(size);
        } catch (IOException e) {
            throw new ProtocolException("snappy: " + e.getMessage());
        }
    }

    /** Read element by element: the library only takes a whole. */
    @Override
    public boolean begin(ByteBuffer in, ByteBuffer out) {
        return new SnappyElements(in).fill(out);
    }

    @Override
    public int maxCompressedBytes(int size) {
        return Snappy.maxCompressedLength(size);
    }

    @Override
    public int compress(ByteBuffer in, ByteBuffer out) {
        try {
            return Snappy.compress(in, out);
        } catch (IOException e) {
            throw new IllegalStateException("snappy: " + e.getMessage(), e);
        }
    }
}
