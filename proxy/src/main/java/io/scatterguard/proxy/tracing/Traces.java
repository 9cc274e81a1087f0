package io.scatterguard.proxy.tracing;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.AuditPressure;
import io.scatterguard.proxy.audit.AuditSource;
import io.scatterguard.proxy.audit.Auditor;
import io.scatterguard.proxy.audit.Outcome;
import io.scatterguard.proxy.audit.TracedCommand;
import io.scatterguard.proxy.otlp.OtlpSender;
import io.scatterguard.proxy.otlp.OtlpTarget;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a span of each judged command whose comment names a sampled span of the application, whether the command is recorded or not,
 * and hands everything on to the auditor behind it. When the collector does not keep up, or is away, spans are dropped and
 * counted; nothing waits for it.
 */
public final class Traces implements Auditor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Traces.class);

    /** How long {@link #close()} waits for the collector. */
    static final Duration CLOSE_DEADLINE = Duration.ofSeconds(2);

    private final Auditor audited;
    private final SpanExporter exporter;
    private final Clock clock;
    private final LongAdder internalErrors = new LongAdder();

    private Traces(Auditor audited, SpanExporter exporter, Clock clock) {
        this.audited = audited;
        this.exporter = exporter;
        this.clock = clock;
    }

    /**
     * Starts it.
     *
     * @param audited gets every command; not closed with this
     * @param target where spans go
     * @param cluster the name of the cluster, on every span
     * @param capacity how many spans may wait, at least 1; what comes beyond is dropped
     */
    public static Traces start(Auditor audited, OtlpTarget target, String cluster, int capacity, Clock clock) {
        return start(audited, new OtlpSender(target, "spans"), cluster, capacity, clock);
    }

    static Traces start(Auditor audited, OtlpSender sender, String cluster, int capacity, Clock clock) {
        SpanExporter exporter = new SpanExporter(capacity, new SpanJson(sender.target(), cluster), sender);
        exporter.start();
        return new Traces(audited, exporter, clock);
    }

    @Override
    public @Nullable PendingRecord begin(
            CommandView command, Route route, @Nullable WouldFail wouldFail, Verdict verdict, AuditSource source) {
        PendingRecord recorded = audited.begin(command, route, wouldFail, verdict, source);
        try {
            // Whoever must authenticate first could fill the queue before.
            boolean judged = !verdict.reason().equals(Reasons.UNAUTHENTICATED);
            TracedCommand traced = judged ? TracedCommand.of(command, route) : null;
            return traced == null
                    ? recorded
                    : new PendingSpan(recorded, traced, spanId(), PendingSpan.Target.of(route), verdict);
        } catch (MalformedBsonException e) {
            return recorded; // the client's fault, and the server will say so
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            internalError(e);
            return recorded;
        }
    }

    /** Not zero, which stands for none. */
    private static String spanId() {
        long id;
        do {
            id = ThreadLocalRandom.current().nextLong();
        } while (id == 0);
        return HexFormat.of().toHexDigits(id);
    }

    @Override
    public void end(PendingRecord pending, Outcome outcome) {
        if (!(pending instanceof PendingSpan span)) {
            audited.end(pending, outcome);
            return;
        }
        PendingRecord recorded = span.recorded();
        if (recorded != null) {
            audited.end(recorded, outcome);
        }
        try {
            exporter.offer(new EndedSpan(span, outcome, clock.instant()));
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            internalError(e);
        }
    }

    /** Counts an error of ours and logs the first: where it was, but not its message, which may quote a value. */
    private void internalError(Throwable e) {
        internalErrors.increment();
        if (internalErrors.sum() == 1) {
            StackTraceElement[] stack = e.getStackTrace();
            LOG.error(
                    "tracing: internal error error={} at={} (further ones are only counted)",
                    e.getClass().getName(),
                    stack.length == 0 ? "unknown" : stack[0]);
        }
    }

    @Override
    public AuditPressure pressure() {
        return audited.pressure();
    }

    /** How many spans the collector took. */
    public long sent() {
        return exporter.sent();
    }

    /** How many spans the collector never got: too many waited, it refused them, closing took too long. */
    public long dropped() {
        return exporter.dropped();
    }

    /** How many errors of ours were kept from the traffic. */
    public long internalErrors() {
        return internalErrors.sum();
    }

    /** Makes no more spans and sends what waits, within 2 s. Blocks: not for an event loop. */
    @Override
    public void close() {
        close(CLOSE_DEADLINE);
    }

    /** Likewise, within {@code deadline}. */
    void close(Duration deadline) {
        exporter.close(deadline);
    }
}
