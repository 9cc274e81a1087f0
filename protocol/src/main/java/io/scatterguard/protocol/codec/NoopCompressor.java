package io.scatterguard.protocol.codec;

import io.scatterguard.protocol.wire.ProtocolException;
import java.nio.ByteBuffer;

/** Compressor 0, which leaves the bytes as they are; meant for tests of servers, which accept it all the same. */
final class NoopCompressor implements Compressor {
    @Override
    public int id() {
        return 0;
    }

    @Override
    public String text() {
        return "noop";
    }

    @Override
    public void decompress(ByteBuffer in, int size, BoundedOutput out) {
        int length = in.remaining();
        if (length != size) {
            throw new ProtocolException("noop: " + length + " bytes (expected: " + size + ")");
        }
        out.room(length).put(in);
        out.wrote(length);
    }

    @Override
    public boolean begin(ByteBuffer in, ByteBuffer out) {
        while (in.hasRemaining() && out.hasRemaining()) {
            out.put(in.get());
        }
        return !out.hasRemaining();
    }

    @Override
    public int maxCompressedBytes(int size) {
        return size;
    }

    @Override
    public int compress(ByteBuffer in, ByteBuffer out) {
        int length = in.remaining();
        out.put(in);
        return length;
    }
}
