package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.command.ClientInfo;
import org.jspecify.annotations.Nullable;

/**
 * Where a command came in, and how fresh the metadata there was.
 *
 * @param listener the listener's bind address
 * @param sessionId the client connection's number, unique for the life of the process
 * @param client who is at the other end, as known now
 * @param tableMillis when the routing table was last found to be that of the cluster, in milliseconds since 1970; 0 where none
 *     was used
 * @param owner whose the finding is; null where nothing was found
 */
public record AuditSource(
        String listener,
        long sessionId,
        ClientInfo client,
        long tableMillis,
        @Nullable String owner) {
    /** Where no routing table was used. */
    public AuditSource(String listener, long sessionId, ClientInfo client) {
        this(listener, sessionId, client, 0, null);
    }
}
