package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.command.ClientInfo;

/**
 * Where a command came in.
 *
 * @param listener the listener's bind address
 * @param sessionId the client connection's number, unique for the life of the process
 * @param client who is at the other end, as known now
 */
public record AuditSource(String listener, long sessionId, ClientInfo client) {}
