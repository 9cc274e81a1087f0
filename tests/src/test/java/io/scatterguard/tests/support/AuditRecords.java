package io.scatterguard.tests.support;

import io.scatterguard.proxy.audit.AuditSink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/** An audit sink that hands its records to a test one by one. */
public final class AuditRecords implements AuditSink {
    private final BlockingQueue<BsonDocument> records = new LinkedBlockingQueue<>();

    /** The next record; an error if none comes within ten seconds. */
    public BsonDocument next() {
        try {
            BsonDocument record = records.poll(10, TimeUnit.SECONDS);
            if (record == null) {
                throw new AssertionError("no audit record came");
            }
            return record;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public String name() {
        return "test";
    }

    @Override
    public void write(List<byte[]> lines) {
        lines.forEach(line -> records.add(BsonDocument.parse(new String(line, StandardCharsets.UTF_8))));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
