package io.scatterguard.proxy.audit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an {@link AuditPipeline} counts besides its records. */
final class AuditCounters {
    private static final Logger LOG = LoggerFactory.getLogger(AuditPipeline.class);

    final LongAdder sinkErrors = new LongAdder();
    final LongAdder internalErrors = new LongAdder();
    private final AtomicBoolean logged = new AtomicBoolean();

    /** Counts an error of ours and logs the first: where it was, but not its message, which may quote a value. */
    void internalError(String doing, Throwable e) {
        internalErrors.increment();
        if (logged.compareAndSet(false, true)) {
            StackTraceElement[] stack = e.getStackTrace();
            LOG.error(
                    "audit: internal error while {} error={} at={} (further ones are only counted)",
                    doing,
                    e.getClass().getName(),
                    stack.length == 0 ? "unknown" : stack[0]);
        }
    }
}
