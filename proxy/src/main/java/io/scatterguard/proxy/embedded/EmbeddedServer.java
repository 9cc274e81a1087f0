package io.scatterguard.proxy.embedded;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/**
 * An in-memory MongoDB-compatible server on the loopback interface, for the demo and for tests. It presents itself as a
 * standalone 6.0 and runs on event loops of its own; nothing is written to disk.
 *
 * <p>Its limits: no sessions, no transactions ({@code txnNumber} is unknown to it), and of the OP_MSG flags it accepts
 * only {@code checksumPresent}; a message with another one is answered by closing the connection.
 */
public final class EmbeddedServer implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final MongoServer server;
    private final int port;

    private EmbeddedServer(MongoServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /**
     * Starts a server.
     *
     * @param port the port on 127.0.0.1; 0 for a free one
     * @throws IllegalArgumentException if the port is outside 0..65535
     * @throws IllegalStateException if the port cannot be bound
     */
    public static EmbeddedServer start(int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0..65535)");
        }
        MongoServer server = new MongoServer(new MemoryBackend().version(new EmbeddedVersion()));
        try {
            server.bind(LOOPBACK, port);
            return new EmbeddedServer(server, server.getLocalAddress().getPort());
        } catch (Exception e) { // Netty throws the checked BindException undeclared
            server.shutdownNow();
            throw new IllegalStateException(
                    "embedded server: cannot listen on " + LOOPBACK + ":" + port
                            + ": choose another port, or 0 for a free one",
                    e);
        }
    }

    /** The port that the server listens on; never 0. */
    public int port() {
        return port;
    }

    /** The connection string that reaches the server, without a database. */
    public String connectionString() {
        return "mongodb://" + LOOPBACK + ":" + port;
    }

    /** Closes every connection and stops the server; what it held is gone. Does nothing the second time. */
    @Override
    public void close() {
        server.shutdownNow();
    }

    @Override
    public String toString() {
        return "EmbeddedServer(" + LOOPBACK + ":" + port + ")";
    }
}
