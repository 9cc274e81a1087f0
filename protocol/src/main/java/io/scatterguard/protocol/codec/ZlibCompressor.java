package io.scatterguard.protocol.codec;

import io.scatterguard.protocol.wire.ProtocolException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compressor 2: a zlib stream (RFC 1950). Bytes after its end are ignored, as the server does. */
final class ZlibCompressor implements Compressor {
    @Override
    public int id() {
        return 2;
    }

    @Override
    public String text() {
        return "zlib";
    }

    @Override
    public void decompress(ByteBuffer in, int size, BoundedOutput out) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(in);
            while (!inflater.finished()) {
                int count = inflater.inflate(out.room());
                out.wrote(count);
                if (count == 0 && !inflater.finished()) {
                    throw new ProtocolException("zlib: the stream is cut off or needs a dictionary");
                }
            }
        } catch (DataFormatException e) {
            throw new ProtocolException("zlib: " + e.getMessage());
        } finally {
            inflater.end();
        }
    }

    @Override
    public boolean begin(ByteBuffer in, ByteBuffer out) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(in);
            int count;
            do {
                count = inflater.inflate(out);
            } while (count > 0 && out.hasRemaining());
            return !out.hasRemaining();
        } catch (DataFormatException e) {
            throw new ProtocolException("zlib: " + e.getMessage());
        } finally {
            inflater.end();
        }
    }

    @Override
    public int maxCompressedBytes(int size) {
        // What zlib's compressBound says.
        return Math.addExact(size, (size >> 12) + (size >> 14) + (size >> 25) + 13);
    }

    @Override
    public int compress(ByteBuffer in, ByteBuffer out) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(in);
            deflater.finish();
            int count = deflater.deflate(out);
            if (!deflater.finished()) {
                throw new IllegalStateException("zlib: more than the bound of " + count + " bytes");
            }
            return count;
        } finally {
            deflater.end();
        }
    }
}
