package io.scatterguard.proxy.session;

import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.proxy.audit.Auditor.PendingRecord;
import io.scatterguard.proxy.audit.Outcome;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/** Reads the outcome of a request from its reply and completes its audit record. */
final class RequestRecorder {
    private final SessionContext context;
    private final PlacementChanges changes;
    private final ReplyReader replies;

    RequestRecorder(SessionContext context, PlacementChanges changes) {
        this.context = context;
        this.changes = changes;
        this.replies = new ReplyReader(
                context.compression(), context.allocator(), context.traits().asMongos());
    }

    /** Notes a part of the reply to {@code request}; borrows its bytes. */
    void passing(InFlightRequest request, ReplyChunk chunk) {
        replies.add(request, chunk);
    }

    /** Reads the reply that has just passed, of which {@code last} was the last part, and tells the request's listener. */
    ReadReply read(InFlightRequest request, ReplyChunk last) {
        request.replied(last.header().messageLength());
        ReadReply reply = replies.end(request, last);
        Consumer<BsonDocument> listener = request.replyListener();
        if (reply.document() != null && listener != null) {
            listener.accept(reply.document());
        }
        changes.answered(request.namespace(), reply.facts());
        return reply;
    }

    /** The request has ended: its reply passed, or there will be none. */
    void finished(InFlightRequest request, ReplyFacts facts) {
        long now = context.nanoTime().getAsLong();
        boolean forwarded = request.wasForwarded();
        long handedOn = forwarded ? request.forwardedNanos() : now;
        if (!request.isOurs()) {
            measure(request, handedOn - request.receivedNanos(), now - handedOn);
        }
        PendingRecord record = request.record();
        if (record == null) {
            return;
        }
        context.auditor()
                .end(
                        record,
                        new Outcome(
                                facts.ok(),
                                facts.code(),
                                facts.nReturned(),
                                micros(handedOn - request.receivedNanos()),
                                forwarded ? micros(now - handedOn) : 0,
                                request.requestBytes(),
                                request.replyBytes(),
                                facts.queryShapeHash()));
    }

    private void measure(InFlightRequest request, long proxyNanos, long serverNanos) {
        CommandMeter.Tally tally = request.tally();
        boolean answered = request.wasForwarded() && request.replyBytes() > 0;
        (tally == null ? context.counters().meter().unjudged() : tally)
                .ended(
                        request.shards(),
                        proxyNanos,
                        answered ? serverNanos : CommandMeter.NO_SERVER,
                        request.requestBytes(),
                        request.replyBytes());
    }

    private static long micros(long nanos) {
        return Math.max(0, nanos / 1_000);
    }
}
