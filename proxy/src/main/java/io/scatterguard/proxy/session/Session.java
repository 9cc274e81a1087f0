package io.scatterguard.proxy.session;

import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.session.SessionState.Closed;
import io.scatterguard.proxy.session.SessionState.Connecting;
import io.scatterguard.proxy.session.SessionState.Idle;
import io.scatterguard.proxy.session.SessionState.Open;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One client connection and its one server connection: takes what happens on either and decides what follows. Everything
 * runs on the one event loop both connections share, so there are no locks. Diagram: {@link SessionState}.
 */
public final class Session {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final long id;
    private final SessionContext context;
    private final Peer client;
    private final ReadPause clientReading;
    private final Dialer dialer;
    private final SessionLoop loop;
    private final Farewell farewell;
    private final Handshake handshake;
    private final InFlightQueue inFlight;
    private final MetadataWait metadata;
    private final Requests requests;
    private final Replies replies;
    private SessionState state = new Idle();
    private Runnable notPrimary = () -> {};
    private @Nullable CloseCause drainedFor;
    private Runnable stopWaiting = () -> {};

    /**
     * @param id unique for the life of the process
     * @param client the client's connection
     * @param clientAddress {@code host:port} of the client
     * @param loop on which everything happens
     */
    public Session(
            long id, SessionContext context, Peer client, String clientAddress, Dialer dialer, SessionLoop loop) {
        this.id = id;
        this.context = context;
        this.client = client;
        this.clientReading = new ReadPause(client);
        this.dialer = dialer;
        this.loop = loop;
        this.farewell = new Farewell(context);
        this.inFlight = new InFlightQueue(context.limits().maxInFlight());
        this.handshake = new Handshake(clientAddress, context.server().release());
        this.metadata = new MetadataWait(
                context.catalog(), context.counters(), loop, context.judge()::isBypassed, this::onMetadata);
        PlacementChanges changes = new PlacementChanges(context.catalog(), loop);
        RequestRecorder recorder = new RequestRecorder(context, changes);
        this.replies = new Replies(inFlight, recorder, new MongosPresentation(context, client), client);
        RequestPlanner planner = new RequestPlanner(id, context, handshake, metadata, changes, farewell);
        AuditWait audit = new AuditWait(context.auditor().pressure(), context.judge()::isBypassed, clientReading, loop);
        this.requests = new Requests(context, inFlight, metadata, planner, replies, audit);
    }

    public long id() {
        return id;
    }

    /** The largest request accepted now, in bytes: the server's own limit once it is known. */
    public int maxMessageBytes() {
        return handshake.maxMessageBytes();
    }

    public boolean isClosed() {
        return state instanceof Closed;
    }

    private void enter(SessionState next) {
        context.counters().moved(state, next);
        state = next;
    }

    /** A whole request came; takes {@code message}. */
    public void onRequest(WireMessage message) {
        if (state instanceof Closed) {
            message.release();
        } else if (state instanceof Open open && !requests.mustHold()) {
            forward(open, message);
        } else {
            requests.hold(message);
            clientReading.set(ReadPause.Reason.HELD, requests.isFull());
            if (state instanceof Idle) {
                enter(new Connecting());
                dialer.dial(this);
            }
        }
    }

    public void onServerConnected(Peer server) {
        onServerConnected(server, () -> {});
    }

    /**
     * The server connection is up: what came early goes first.
     *
     * @param notPrimary is told when a reply shows that the server is not the primary of its replica set
     */
    public void onServerConnected(Peer server, Runnable notPrimary) {
        this.notPrimary = notPrimary;
        if (!(state instanceof Connecting)) {
            server.close();
            return;
        }
        Open open = new Open(server, new ReadPause(server));
        enter(open);
        forwardHeld(open);
        closeIfDrained();
    }

    /** What the next request waited for is loaded, or is not to be waited for any longer. */
    private void onMetadata() {
        if (state instanceof Open open) {
            try {
                forwardHeld(open);
                closeIfDrained();
            } catch (RuntimeException | Error e) {
                // Nobody above would end the session, and its client would wait for ever.
                LOG.error("internal error after a wait for metadata: sessionId={}", id, ValueFreeFault.of(e));
                close(CloseCause.INTERNAL_ERROR);
            }
        }
    }

    private void forwardHeld(Open open) {
        forward(open, null);
        open.server().flush();
    }

    /** Forwards {@code message}, which is taken, or what is held if it is null; ends the session if one asks for it. */
    private void forward(Open open, @Nullable WireMessage message) {
        try {
            if (message == null) {
                requests.forwardHeld(open.server());
            } else {
                requests.forward(open.server(), message);
            }
            pauseOrResumeClient(open);
            closeIfDrained();
        } catch (ClosingException e) {
            close(Level.INFO, e.closeCause(), String.valueOf(e.getMessage()));
        }
    }

    public void onConnectFailed(Throwable error) {
        onConnectFailed(CloseCause.CONNECT_FAILED, error);
    }

    /** There is no server connection, or it turned out to be of no use; {@code cause} says of which kind the error is. */
    public void onConnectFailed(CloseCause cause, Throwable error) {
        close(Level.WARN, cause, error.toString());
    }

    private void pauseOrResumeClient(Open open) {
        clientReading.set(ReadPause.Reason.HELD, requests.isFull());
        clientReading.set(ReadPause.Reason.IN_FLIGHT, inFlight.isFull());
        clientReading.set(ReadPause.Reason.BACKPRESSURE, !open.server().isWritable());
        clientReading.set(ReadPause.Reason.UNREAD_REPLIES, !client.isWritable());
    }

    /** Everything read from the client for now was handed over. */
    public void onRequestsRead() {
        if (state instanceof Open open) {
            open.server().flush();
        }
    }

    /** A part of a reply came; takes its bytes. */
    public void onReply(ReplyChunk chunk) {
        if (!(state instanceof Open open)) {
            chunk.bytes().release();
            return;
        }
        try {
            switch (replies.take(chunk)) {
                case PART -> {}
                case FRAME -> frameEnded();
                case ENDED -> requestEnded(open);
                case NOT_PRIMARY -> deniedByServer();
            }
        } catch (ClosingException e) {
            refuseReply(e);
            return;
        }
        open.serverReading().set(ReadPause.Reason.BACKPRESSURE, !client.isWritable());
    }

    private void refuseReply(ClosingException e) {
        boolean denied = e.closeCause() == CloseCause.PRIMARY_CHANGED;
        close(denied ? Level.INFO : Level.WARN, e.closeCause(), String.valueOf(e.getMessage()));
        if (denied) {
            notPrimary.run();
        }
    }

    /** What is in flight on a former primary may end, but a stream need not have an end. */
    private void frameEnded() {
        if (drainedFor == CloseCause.PRIMARY_CHANGED) {
            close(CloseCause.PRIMARY_CHANGED);
        }
    }

    private void deniedByServer() {
        close(CloseCause.PRIMARY_CHANGED);
        notPrimary.run();
    }

    private void requestEnded(Open open) {
        replies.sendLocal();
        requests.ask(open.server());
        if (!requests.isEmpty()) {
            forwardHeld(open);
        }
        pauseOrResumeClient(open);
        closeIfDrained();
    }

    /** Everything read from the server for now was handed over. */
    public void onRepliesRead() {
        client.flush();
    }

    /** The client takes more bytes again, or no more. */
    public void onClientWritable(boolean writable) {
        clientReading.set(ReadPause.Reason.UNREAD_REPLIES, !writable);
        if (state instanceof Open open) {
            open.serverReading().set(ReadPause.Reason.BACKPRESSURE, !writable);
        }
    }

    /** The server takes more bytes again, or no more. */
    public void onServerWritable(boolean writable) {
        clientReading.set(ReadPause.Reason.BACKPRESSURE, !writable);
    }

    /** The request that has begun waits for room, or no more. */
    public void onRequestWaiting(boolean waiting) {
        clientReading.set(ReadPause.Reason.BUDGET, waiting);
    }

    /** Whether the client is not read for now. */
    public boolean isClientPaused() {
        return clientReading.isPaused();
    }

    /**
     * The client sends no more, as far as a server can tell: it has gone. A server finds out while a command runs, and drops
     * it; what the client sent behind that command goes with it.
     *
     * @param over whether all it ever sent has been handed over, or no further request of it can come whole
     */
    public void onClientEnd(boolean over) {
        metadata.hurry();
        if (over || inFlight.size() > 0) {
            close(CloseCause.CLIENT_CLOSED);
        }
    }

    /** Nothing has come from the client or gone to it for as long as that may last. */
    public void onIdle() {
        boolean waitsForUs = clientReading.isPaused() || state instanceof Connecting;
        if (!waitsForUs && inFlight.size() == 0 && requests.isEmpty()) {
            close(CloseCause.IDLE_TIMEOUT);
        }
    }

    /**
     * Ends the session as soon as nothing is in flight but a {@code hello} stream; further requests still in the socket are
     * not read.
     */
    public void drain() {
        drain(CloseCause.SHUTDOWN);
    }

    /**
     * The server is not the primary of its replica set any more. No driver finds out by itself and lets go of its connections,
     * because what it sees is one mongos. What is in flight may end; then the next command is turned away, and the session with
     * it (see {@link Farewell}). One that only watches, by a stream of {@code hello}, ends at once.
     *
     * @param reachable whether what is in flight may still be answered
     */
    public void onPrimaryLost(boolean reachable) {
        if (!reachable && !inFlight.isIdle()) {
            close(CloseCause.PRIMARY_CHANGED);
        } else if (drainedFor == null && !isClosed()) {
            drainedFor = CloseCause.PRIMARY_CHANGED;
            farewell.begin();
            stopWaiting = loop.after(Farewell.LINGER, () -> {
                farewell.stopWaiting();
                closeIfDrained();
            });
            metadata.hurry();
            closeIfDrained();
        }
    }

    private void drain(CloseCause cause) {
        drainedFor = cause;
        clientReading.set(ReadPause.Reason.DRAINING, true);
        closeIfDrained();
    }

    private void closeIfDrained() {
        boolean idle = !(state instanceof Connecting) && requests.isEmpty() && inFlight.isIdle();
        boolean streams = inFlight.size() > 0;
        boolean waits = drainedFor == CloseCause.PRIMARY_CHANGED && !streams && !farewell.isOver();
        if (drainedFor != null && idle && !waits) {
            close(drainedFor);
        }
    }

    /** Closes both sides because of {@code error}, which the log names unless it has just named another of that cause. */
    public void close(Level level, CloseCause cause, String error) {
        if (!isClosed()) {
            context.closeLog().explain(level, cause, handshake.client().address(), error);
            close(cause);
        }
    }

    /** Closes both sides, once; what is in flight ends without a reply. */
    public void close(CloseCause cause) {
        if (state instanceof Closed) {
            return;
        }
        SessionState before = state;
        enter(new Closed(cause));
        context.counters().closed(cause);
        context.closeLog().note(cause, handshake.client().address());
        LOG.debug("session closed: sessionId={} cause={} inFlight={}", id, cause.text(), inFlight.size());
        stopWaiting.run();
        requests.end();
        replies.end();
        clientReading.close();
        if (before instanceof Open open) {
            // What the client sent last may be a write that waits for no reply: it still goes out.
            open.server().closeAfterFlush();
        }
        if (cause == CloseCause.CLIENT_CLOSED || cause == CloseCause.CLIENT_FAILED) {
            client.close();
        } else {
            client.closeAfterFlush();
        }
    }
}
