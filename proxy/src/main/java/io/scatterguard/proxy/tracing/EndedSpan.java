package io.scatterguard.proxy.tracing;

import io.scatterguard.proxy.audit.Outcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A span that is complete.
 *
 * @param end when its command had ended
 */
record EndedSpan(PendingSpan span, Outcome outcome, Instant end) {
    Instant start() {
        return end.minus(outcome.proxyMicros() + outcome.serverMicros(), ChronoUnit.MICROS);
    }

    /** Whether the command failed or was refused; also a statement of a batch, for which a server says {@code ok: 1}. */
    boolean failed() {
        Integer code = outcome.code();
        return Boolean.FALSE.equals(outcome.ok()) || (code != null && code != 0);
    }
}
