package io.scatterguard.proxy.audit;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Writes records to a stream that belongs to somebody else, the process' standard output in general. A batch is one write;
 * after one that failed, the next begins with a line feed, which ends what may have been cut off.
 */
public final class StdoutSink implements AuditSink {
    private final OutputStream out;
    private final WhenFull whenFull;
    private boolean cutOff;

    /**
     * On the process' standard output itself: {@code System.out} keeps its errors to itself, and once it had one it reports
     * it for ever.
     */
    public StdoutSink(WhenFull whenFull) {
        this(new FileOutputStream(FileDescriptor.out), whenFull);
    }

    /** {@code out} is borrowed: it is flushed, never closed. */
    StdoutSink(OutputStream out, WhenFull whenFull) {
        this.out = out;
        this.whenFull = whenFull;
    }

    @Override
    public String name() {
        return "stdout";
    }

    @Override
    public String type() {
        return "stdout";
    }

    @Override
    public WhenFull whenFull() {
        return whenFull;
    }

    @Override
    public void write(List<byte[]> lines) throws IOException {
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        if (cutOff) {
            batch.write('\n');
        }
        lines.forEach(batch::writeBytes);
        cutOff = true;
        out.write(batch.toByteArray());
        cutOff = false;
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
