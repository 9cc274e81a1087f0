package io.scatterguard.tests.support;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/** Lets a test stop a server from reading, so that its peer feels backpressure. Thread-safe. */
final class ReadGate {
    private boolean shut;

    synchronized void shut() {
        shut = true;
    }

    synchronized void open() {
        shut = false;
        notifyAll();
    }

    private synchronized void pass() throws InterruptedIOException {
        while (shut) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }
    }

    /** {@code in}, each read of which starts only while the gate is open. */
    InputStream guard(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                pass();
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                pass();
                return super.read(bytes, from, length);
            }
        };
    }
}
