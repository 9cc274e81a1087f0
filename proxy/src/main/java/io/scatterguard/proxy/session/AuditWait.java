package io.scatterguard.proxy.session;

import io.scatterguard.proxy.audit.AuditPressure;
import java.util.function.BooleanSupplier;

/**
 * Keeps a client whose commands are recorded unread while too many records wait for a sink that must not lose any. What is
 * read or in flight already goes on, and so does everything in bypass, which is the way out. Everything but {@link #relieved}
 * runs on the session's event loop.
 */
final class AuditWait {
    private final AuditPressure pressure;
    private final BooleanSupplier bypassed;
    private final ReadPause clientReading;
    private final SessionLoop loop;
    private final Runnable relieved = this::relieved;
    private boolean ended;

    /** {@code bypassed}: whether nothing is judged; when that changes, somebody has the pressure reconsidered. */
    AuditWait(AuditPressure pressure, BooleanSupplier bypassed, ReadPause clientReading, SessionLoop loop) {
        this.pressure = pressure;
        this.bypassed = bypassed;
        this.clientReading = clientReading;
        this.loop = loop;
    }

    /** A command that gets a record was carried out. */
    void recorded() {
        if (ended) {
            return;
        }
        boolean waits = pressure.pause(relieved);
        // Asked once it is known whom to tell: a bypass that begins meanwhile is either seen here or told.
        if (waits && bypassed.getAsBoolean()) {
            pressure.forget(relieved);
            waits = false;
        }
        clientReading.set(ReadPause.Reason.AUDIT, waits);
    }

    /** There is room again, or a bypass; on any thread. Asked once more on the loop: it may be full again by then. */
    private void relieved() {
        loop.execute(this::recorded);
    }

    void end() {
        ended = true;
        pressure.forget(relieved);
    }
}
