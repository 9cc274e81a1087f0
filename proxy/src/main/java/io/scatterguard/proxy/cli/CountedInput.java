package io.scatterguard.proxy.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Knows how many bytes were read of a stream; may be asked on another thread. */
final class CountedInput extends FilterInputStream {
    private volatile long count;

    CountedInput(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        add(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        add(Math.max(0, read));
        return read;
    }

    /** One thread reads. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void add(int bytes) {
        count += bytes;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
