package io.scatterguard.proxy.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/** Knows how many bytes were read of a stream; may be asked on another thread. */
final class CountedInput extends FilterInputStream {
    private final AtomicLong count = new AtomicLong();

    CountedInput(InputStream in) {
        super(in);
    }

    long count() {
        return count.get();
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count.addAndGet(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        count.addAndGet(Math.max(0, read));
        return read;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
