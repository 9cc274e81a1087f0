package io.scatterguard.proxy.session;

import io.scatterguard.protocol.wire.WireMessage;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Where a session stands.
 *
 * <pre>
 *   Idle ──first request──▶ Connecting ──connected──▶ Open
 *     │                         │                      │
 *     └────────────close────────┴────────close─────────┴──▶ Closed
 * </pre>
 */
sealed interface SessionState {
    /** Nothing was asked yet; there is no server connection. */
    record Idle() implements SessionState {}

    /**
     * The server connection is being made.
     *
     * @param early the requests that came meanwhile, in order; owned by this state
     */
    record Connecting(Queue<WireMessage> early) implements SessionState {
        static Connecting with(WireMessage first) {
            Queue<WireMessage> early = new ArrayDeque<>();
            early.add(first);
            return new Connecting(early);
        }
    }

    /** Both connections are up. */
    record Open(Peer server, ReadPause serverReading) implements SessionState {}

    record Closed(CloseCause cause) implements SessionState {}
}
