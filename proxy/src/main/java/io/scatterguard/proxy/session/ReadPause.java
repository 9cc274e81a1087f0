package io.scatterguard.proxy.session;

import java.util.EnumSet;
import java.util.Set;

/** Why one side is not read at present. Reading goes on only while no reason is left. */
final class ReadPause {
    enum Reason {
        /** The other side does not take more bytes for now. */
        BACKPRESSURE,
        /** Enough requests are held until they can be planned. */
        HELD,
        /** Enough requests are waiting for their replies. */
        IN_FLIGHT,
        /** The client does not read our own replies. */
        UNREAD_REPLIES,
        /** There is no room yet for the request that has begun. */
        BUDGET,
        /** A sink of the audit log that must not lose a record does not keep up. */
        AUDIT,
        /** The session ends as soon as nothing is in flight. */
        DRAINING
    }

    private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    private final Peer peer;
    private boolean closed;

    ReadPause(Peer peer) {
        this.peer = peer;
    }

    /** Nothing is read any more, whatever comes. */
    void close() {
        closed = true;
    }

    /** Whether there is a reason not to read. */
    boolean isPaused() {
        return !reasons.isEmpty();
    }

    void set(Reason reason, boolean paused) {
        if (closed) {
            return;
        }
        boolean changed = paused ? reasons.add(reason) : reasons.remove(reason);
        if (changed) {
            peer.setReading(reasons.isEmpty());
        }
    }
}
