package io.scatterguard.proxy.session;

/** Connects a session to its server. */
@FunctionalInterface
public interface Dialer {
    /**
     * Starts to connect on the session's event loop; calls {@link Session#onServerConnected} or {@link
     * Session#onConnectFailed} there, once.
     */
    void dial(Session session);
}
