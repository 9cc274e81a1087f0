package io.scatterguard.proxy.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;

/** Writes records to a stream that belongs to somebody else, the process' standard output in general. */
public final class StdoutSink implements AuditSink {
    private final OutputStream out;
    private final WhenFull whenFull;

    /** {@code out} is borrowed: it is flushed, never closed. */
    public StdoutSink(OutputStream out, WhenFull whenFull) {
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
        for (byte[] line : lines) {
            out.write(line);
        }
        requireHealthy();
    }

    @Override
    public void flush() throws IOException {
        out.flush();
        requireHealthy();
    }

    /** A PrintStream keeps its errors to itself. */
    private void requireHealthy() throws IOException {
        if (out instanceof PrintStream print && print.checkError()) {
            throw new IOException("stdout: the stream refuses to be written (is its reader gone?)");
        }
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
