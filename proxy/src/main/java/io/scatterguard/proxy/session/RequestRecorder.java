package io.scatterguard.proxy.session;

import io.scatterguard.proxy.audit.Auditor.PendingRecord;
import io.scatterguard.proxy.audit.Outcome;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/** Reads the outcome of a request from its reply and completes its audit record. */
final class RequestRecorder {
    private final SessionContext context;

    RequestRecorder(SessionContext context) {
        this.context = context;
    }

    /** Reads the reply that has just passed, if it was collected, and tells the request's listener. */
    ReplyFacts read(InFlightRequest request) {
        ReplyCollector collector = request.collector();
        BsonDocument reply = collector == null ? null : collector.document();
        Consumer<BsonDocument> listener = request.replyListener();
        if (reply != null && listener != null) {
            listener.accept(reply);
        }
        return ReplyFacts.of(reply);
    }

    /** The request has ended: its reply passed, or there will be none. */
    void finished(InFlightRequest request, ReplyFacts facts) {
        PendingRecord record = request.record();
        if (record == null) {
            return;
        }
        long now = context.nanoTime().getAsLong();
        boolean forwarded = request.wasForwarded();
        long handedOn = forwarded ? request.forwardedNanos() : now;
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
                                request.replyBytes()));
    }

    private static long micros(long nanos) {
        return Math.max(0, nanos / 1_000);
    }
}
