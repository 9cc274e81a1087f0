package io.scatterguard.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A server on a free port of this machine that answers like a 6.0 mongos unless a test says otherwise, and remembers every
 * message. {@link #close()} fails when a script threw or a peer sent what is no wire message.
 */
public final class ScriptedMongos implements AutoCloseable {
    /**
     * Connections the kernel keeps for the acceptor. With Java's 50 a burst of clients on a busy machine has its SYNs dropped,
     * and the proxy's connecting times out while the kernel waits to send them again.
     */
    static final int BACKLOG = 4_096;

    private final ServerSocket listener;
    private final RequestLog log = new RequestLog();
    private final ReadGate gate = new ReadGate();
    private final List<ScriptedConnection> connections = new ArrayList<>();
    private final ScriptedAnswers answers = new ScriptedAnswers();
    private volatile boolean closed;

    private ScriptedMongos(ServerSocket listener) {
        this.listener = listener;
    }

    /** Starts one that accepts connections when this returns. */
    public static ScriptedMongos start() {
        return start(0);
    }

    /** Starts one whose connections have a receive buffer of about {@code receiveBufferBytes} (0: the system's). */
    public static ScriptedMongos start(int receiveBufferBytes) {
        try {
            ServerSocket listener = new ServerSocket();
            if (receiveBufferBytes > 0) {
                listener.setReceiveBufferSize(receiveBufferBytes);
            }
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
            ScriptedMongos mongos = new ScriptedMongos(listener);
            Thread acceptor = new Thread(mongos::acceptAll, "scripted-mongos-acceptor");
            acceptor.setDaemon(true);
            acceptor.start();
            return mongos;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** {@code 127.0.0.1:port}, as a configuration names an upstream host. */
    public String address() {
        return "127.0.0.1:" + port();
    }

    /** A connection string to this server alone. */
    public String uri() {
        return "mongodb://" + address();
    }

    /** Answers every {@code command} (any letter case) by {@code handler} from now on; a w:0 one is not answered. */
    public ScriptedMongos on(String command, Function<WireFrame, Reply> handler) {
        answers.on(command, handler);
        return this;
    }

    /** Answers every {@code command} by the same {@code reply}. */
    public ScriptedMongos always(String command, Reply reply) {
        return on(command, request -> reply);
    }

    /** Answers the next {@code command} by {@code reply}; several calls queue up, before what {@link #on} says. */
    public ScriptedMongos once(String command, Reply reply) {
        answers.once(command, reply);
        return this;
    }

    /** Adds or replaces a field of every later hello reply. */
    public ScriptedMongos helloField(String name, BsonValue value) {
        answers.helloField(name, value);
        return this;
    }

    /** Returns a topologyVersion in hello, so that drivers stream it. */
    public ScriptedMongos withTopologyVersion() {
        return helloField("topologyVersion", MongosCommands.topologyVersion());
    }

    /** Answers reads of the {@code config} database from {@code documents}, which replace earlier ones. */
    public ScriptedMongos withCatalog(CatalogDocuments documents) {
        answers.catalog(new ScriptedCatalog(documents));
        return this;
    }

    /** Answers reads of the {@code config} database by what {@code change} makes of the reply, from now on. */
    public ScriptedMongos metadata(UnaryOperator<Reply> change) {
        answers.metadata(change);
        return this;
    }

    /** Reads and writes collections in memory, with transactions and retryable writes over them. */
    public ScriptedMongos withData() {
        answers.keepData();
        return this;
    }

    /** What {@code db.coll} holds now, in order of insertion. */
    public List<BsonDocument> documents(String namespace) {
        return answers.data().documents(namespace);
    }

    /** Carries out a command on the documents, and returns the reply, for a handler that changes or withholds it. */
    public BsonDocument carriedOut(WireFrame request) {
        return answers.transactions().run(request.database(), request.commandWithSequences());
    }

    /** How many transactions were committed. */
    public int committedTransactions() {
        return answers.transactions().committed();
    }

    /** How many transactions were aborted by their client. */
    public int abortedTransactions() {
        return answers.transactions().aborted();
    }

    /** Lets only these users in: SCRAM and PLAIN are checked, X.509 is refused, other mechanisms take two steps. */
    public ScriptedMongos withUsers(ScriptedUser... users) {
        answers.users(List.of(users));
        return this;
    }

    /** Takes up these compressors in {@code hello}; what comes compressed is answered so, negotiated or not. */
    public ScriptedMongos compressing(WireCompressor... compressors) {
        answers.compressors(List.of(compressors));
        return this;
    }

    /** Puts {@code $clusterTime} and {@code operationTime} into every reply; a client that returns another one is a failure. */
    public ScriptedMongos withClusterTime() {
        answers.gossip();
        return this;
    }

    /** Is a second mongos of the cluster of {@code other}: the same documents, the same clock, transactions of its own. */
    public ScriptedMongos ofTheClusterOf(ScriptedMongos other) {
        answers.share(other.answers);
        return this;
    }

    /** Gives and expects no recovery tokens in transactions, as a member of a replica set. */
    ScriptedMongos withoutRecoveryTokens() {
        answers.transactions().withoutRecoveryTokens();
        return this;
    }

    /** Is no mongos but a standalone from now on, which knows no {@code txnNumber}. */
    public ScriptedMongos asStandalone() {
        answers.standalone();
        return this;
    }

    /** Stops reading from every connection; what a read under way gets still comes in. */
    public void pauseReading() {
        gate.shut();
    }

    public void resumeReading() {
        gate.open();
    }

    /** Every connection ever accepted, in order. */
    public List<ScriptedConnection> connections() {
        synchronized (log) {
            return List.copyOf(connections);
        }
    }

    public int totalConnections() {
        return connections().size();
    }

    public int openConnections() {
        return (int) connections().stream().filter(ScriptedConnection::isOpen).count();
    }

    /** Every message of every connection in order of arrival: handshakes, monitors and catalog reads too. */
    public List<WireFrame> requests() {
        return log.requests(frame -> true);
    }

    /** The commands called {@code command}, but for reads of metadata. */
    public List<WireFrame> requests(String command) {
        return log.requests(named(command));
    }

    /** Waits until {@code count} messages other than hello and reads of metadata have come; returns these. */
    public List<WireFrame> awaitRequests(int count) {
        return log.await(
                "any but hello",
                count,
                frame -> !MongosCommands.isHello(frame.commandName()) && !ScriptedCatalog.isOfMetadata(frame));
    }

    /** Waits until {@code count} commands called {@code command} have come, counted like {@link #requests(String)}. */
    public List<WireFrame> awaitRequests(String command, int count) {
        return log.await(command, count, named(command));
    }

    /** Waits until {@code count} connections have been accepted, open or not. */
    public List<ScriptedConnection> awaitConnections(int count) {
        log.awaitUntil(() -> totalConnections() >= count, () -> count + " connections, got " + totalConnections());
        return connections();
    }

    /** Waits until exactly {@code count} connections are open. */
    public void awaitOpenConnections(int count) {
        log.awaitUntil(() -> openConnections() == count, () -> count + " open connections, got " + openConnections());
    }

    /** What went wrong in scripts and in the bytes of peers; {@link #close()} fails because of any. */
    public List<Throwable> failures() {
        return log.failures();
    }

    /** Stops listening, so that new connections are refused, and drops the open ones. */
    public void stop() {
        closed = true;
        gate.open();
        try {
            listener.close();
        } catch (IOException e) {
            log.fail(e);
        }
        connections().forEach(ScriptedConnection::close);
    }

    @Override
    public void close() {
        stop();
        List<Throwable> failures = failures();
        if (!failures.isEmpty()) {
            AssertionError error = new AssertionError("the scripted mongos failed: " + failures);
            failures.forEach(error::addSuppressed);
            throw error;
        }
    }

    private void acceptAll() {
        while (!closed) {
            try {
                accept(listener.accept());
            } catch (IOException e) {
                if (!closed) {
                    log.fail(e);
                }
                return;
            }
        }
    }

    private void accept(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        int number = totalConnections() + 1;
        ScriptedConnection connection = new ScriptedConnection(number, socket, log, gate, answers.ofConnection(number));
        log.change(() -> connections.add(connection));
        connection.start();
        if (closed) {
            connection.close();
        }
    }

    private static Predicate<WireFrame> named(String command) {
        return frame -> frame.commandName().equalsIgnoreCase(command) && !ScriptedCatalog.isOfMetadata(frame);
    }
}
