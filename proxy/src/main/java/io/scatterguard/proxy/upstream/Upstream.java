package io.scatterguard.proxy.upstream;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The servers behind a listener, and which of them a connection may go to. Thread-safe; no method blocks but {@link #close}. */
public interface Upstream extends AutoCloseable {
    /** Is told, on any thread and perhaps several times, that a connection's server is no longer the one to be used. */
    @FunctionalInterface
    interface LossListener {
        /** {@code reachable}: whether the server still answers, so that what is in flight may be left to end. */
        void onLost(boolean reachable);
    }

    /** A connection that was made to a server, until it is {@link #released}. */
    interface Binding {
        /** The server itself has shown that it is not the one to be used. */
        void notPrimary();

        /** The connection has ended. */
        void released();
    }

    /**
     * The servers to try, unresolved, one after the other; at least one. Completes when there is one, which may be never; the
     * caller gives up by completing it.
     *
     * @param clientHash that of the client's address: where several servers serve alike, it says which comes first
     */
    CompletableFuture<List<InetSocketAddress>> servers(int clientHash);

    /** Notes a connection to {@code server}; {@code listener} is told at once if that is out of date. */
    Binding bind(InetSocketAddress server, LossListener listener);

    /** What is known of the servers, for people; one line. */
    String status();

    @Override
    void close();
}
