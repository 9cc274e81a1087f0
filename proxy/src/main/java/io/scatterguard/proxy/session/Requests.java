package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.audit.Auditor.PendingRecord;

/**
 * The requests of one session on their way to the server, in the order they came: each is planned and its plan carried out;
 * what cannot be planned yet is held, and everything behind it.
 */
final class Requests {
    private final SessionContext context;
    private final InFlightQueue inFlight;
    private final HeldRequests held;
    private final MetadataWait metadata;
    private final RequestPlanner planner;
    private final Replies replies;
    private final AuditWait audit;
    private boolean ended;

    Requests(
            SessionContext context,
            InFlightQueue inFlight,
            MetadataWait metadata,
            RequestPlanner planner,
            Replies replies,
            AuditWait audit) {
        this.context = context;
        this.inFlight = inFlight;
        this.held = new HeldRequests(context.limits().maxHeldRequests());
        this.metadata = metadata;
        this.planner = planner;
        this.replies = replies;
        this.audit = audit;
    }

    /** Whether the next request that comes has to be held: behind others, or behind one that nothing may follow yet. */
    boolean mustHold() {
        return !held.isEmpty() || inFlight.holdsBack();
    }

    /** Takes {@code message}, to be forwarded later. */
    void hold(WireMessage message) {
        held.add(message);
    }

    /** Whether nothing is held. */
    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Whether so much is held that the client should not be read. */
    boolean isFull() {
        return held.isFull();
    }

    /**
     * Forwards what was held to {@code server}, up to one that nothing may follow yet, or one that waits for metadata.
     *
     * @throws ClosingException as {@link #forward}
     */
    void forwardHeld(Peer server) {
        while (!inFlight.holdsBack() && !metadata.isWaiting()) {
            WireMessage next = held.poll();
            if (next == null) {
                return;
            }
            forward(server, next);
        }
    }

    /**
     * Plans one request and carries the plan out, or holds it for now; takes {@code message}.
     *
     * @throws ClosingException if the session must end because of it
     */
    void forward(Peer server, WireMessage message) {
        try {
            RequestPlan plan = planner.plan(message);
            if (plan == null) {
                message.retain();
                held.putBack(message);
            } else {
                carryOut(plan, server);
            }
        } catch (ProtocolException | MalformedBsonException e) {
            throw new ClosingException(CloseCause.CLIENT_PROTOCOL_ERROR, String.valueOf(e.getMessage()));
        } finally {
            message.release();
        }
    }

    private void carryOut(RequestPlan plan, Peer server) {
        if (plan.ahead() != null) {
            carryOut(plan.ahead(), server);
        }
        InFlightRequest request = plan.request();
        PendingRecord record = request.record();
        if (record != null && record.isAudited()) {
            audit.recorded();
        }
        ByteBuf bytes = plan.forwarded();
        if (bytes != null) {
            request.forwardedAt(context.nanoTime().getAsLong());
            if (!request.isOurs()) {
                context.counters().forwarded();
            }
            server.write(bytes);
        }
        // A write that fails at once ends the session within it.
        if (ended || request.role() == InFlightRequest.Role.UNANSWERED) {
            replies.expectNone(request);
            request.release();
        } else {
            inFlight.add(request);
            replies.sendLocal();
        }
    }

    /** Sends a question of our own where one is open; the client's next requests are held until it is answered. */
    void ask(Peer server) {
        RequestPlan question = planner.question();
        if (question != null) {
            carryOut(question, server);
            server.flush();
        }
    }

    /** Nothing is forwarded any more: drops what is held. */
    void end() {
        ended = true;
        metadata.stop();
        audit.end();
        held.release();
    }
}
