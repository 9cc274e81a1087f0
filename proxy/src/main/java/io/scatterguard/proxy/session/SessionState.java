package io.scatterguard.proxy.session;

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

    /** The server connection is being made; requests are held meanwhile. */
    record Connecting() implements SessionState {}

    /** Both connections are up. */
    record Open(Peer server, ReadPause serverReading) implements SessionState {}

    record Closed(CloseCause cause) implements SessionState {}
}
