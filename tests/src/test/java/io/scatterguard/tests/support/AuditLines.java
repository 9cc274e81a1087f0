package io.scatterguard.tests.support;

import io.scatterguard.proxy.audit.AuditSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** An audit sink that keeps its lines as they are written. */
public final class AuditLines implements AuditSink {
    private final List<String> lines = new ArrayList<>();

    /** The lines so far; all of them once the proxy is closed. */
    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    @Override
    public String name() {
        return "lines";
    }

    @Override
    public void write(List<byte[]> written) {
        synchronized (lines) {
            written.forEach(line -> lines.add(new String(line, StandardCharsets.UTF_8)));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
