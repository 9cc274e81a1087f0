package io.scatterguard.proxy.audit;

import io.scatterguard.proxy.otlp.OtlpSender;
import io.scatterguard.proxy.otlp.OtlpTarget;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.util.List;

/**
 * Sends records to an OpenTelemetry collector. While the collector is away or busy the batch is sent again and again, ever
 * less often, and further records wait in the sink's queue; what the collector refuses for good is lost.
 */
public final class OtlpSink implements AuditSink {
    private final OtlpSender sender;
    private final OtlpLogs logs;
    private final WhenFull whenFull;
    private final Clock clock;

    public OtlpSink(OtlpTarget target, WhenFull whenFull, Clock clock) {
        this(new OtlpSender(target, "audit records"), whenFull, clock);
    }

    OtlpSink(OtlpSender sender, WhenFull whenFull, Clock clock) {
        this.sender = sender;
        this.logs = new OtlpLogs(sender.target());
        this.whenFull = whenFull;
        this.clock = clock;
    }

    @Override
    public String name() {
        return sender.target().toString();
    }

    @Override
    public String type() {
        return "otlp";
    }

    @Override
    public String destination() {
        return "otlp " + sender.target().endpoint();
    }

    @Override
    public WhenFull whenFull() {
        return whenFull;
    }

    @Override
    public void write(List<byte[]> lines) throws IOException {
        try {
            sender.send(logs.request(lines, clock.instant()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while records wait for the collector");
        }
    }

    /** What was written is with the collector. */
    @Override
    public void flush() {}

    @Override
    public void close() {}
}
