package io.scatterguard.proxy.session;

import io.scatterguard.proxy.audit.AuditPressure;

/**
 * Keeps a client whose commands are recorded unread while too many records wait for a sink that must not lose any. What is
 * read or in flight already goes on. Everything but {@link #relieved} runs on the session's event loop.
 */
final class AuditWait {
    private final AuditPressure pressure;
    private final ReadPause clientReading;
    private final SessionLoop loop;
    private final Runnable relieved = this::relieved;
    private boolean ended;

    AuditWait(AuditPressure pressure, ReadPause clientReading, SessionLoop loop) {
        this.pressure = pressure;
        this.clientReading = clientReading;
        this.loop = loop;
    }

    /** A command that gets a record was carried out. */
    void recorded() {
        if (!ended) {
            clientReading.set(ReadPause.Reason.AUDIT, pressure.pause(relieved));
        }
    }

    /** There is room again; on any thread. Asked once more on the loop: it may be full again by then. */
    private void relieved() {
        loop.execute(this::recorded);
    }

    void end() {
        ended = true;
        pressure.forget(relieved);
    }
}
