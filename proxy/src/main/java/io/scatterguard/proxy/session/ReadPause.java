package io.scatterguard.proxy.session;

import java.util.EnumSet;
import java.util.Set;

/** Why one side is not read at present. Reading goes on only while no reason is left. */
final class ReadPause {
    enum Reason {
        /** The other side does not take more bytes for now. */
        BACKPRESSURE,
        /** Enough requests came before the server connection was up. */
        CONNECTING,
        /** Enough requests are waiting for their replies. */
        IN_FLIGHT
    }

    private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    private final Peer peer;

    ReadPause(Peer peer) {
        this.peer = peer;
    }

    void set(Reason reason, boolean paused) {
        boolean changed = paused ? reasons.add(reason) : reasons.remove(reason);
        if (changed) {
            peer.setReading(reasons.isEmpty());
        }
    }

    boolean isPaused() {
        return !reasons.isEmpty();
    }
}
