package io.scatterguard.proxy.session;

import io.scatterguard.protocol.codec.ReplyChunk;

/**
 * The replies of one session on their way to the client: matches each with the oldest request that is in flight, has it
 * recorded and presented, and sends those of our own when their turn has come.
 */
final class Replies {
    /** What a part of a reply leaves to be done. */
    enum Progress {
        /** More of the reply is to come. */
        PART,
        /** The reply has ended; another one to the same request follows. */
        FRAME,
        /** The request has ended. */
        ENDED,
        /** Likewise, and the server says that it is not the primary of its replica set. */
        NOT_PRIMARY
    }

    private final InFlightQueue inFlight;
    private final RequestRecorder recorder;
    private final MongosPresentation presentation;
    private final Peer client;
    private boolean ended;

    Replies(InFlightQueue inFlight, RequestRecorder recorder, MongosPresentation presentation, Peer client) {
        this.inFlight = inFlight;
        this.recorder = recorder;
        this.presentation = presentation;
        this.client = client;
    }

    /**
     * Hands on a part of a reply; takes its bytes.
     *
     * @throws ClosingException if it answers nothing, cannot be presented, or must not be
     */
    Progress take(ReplyChunk chunk) {
        InFlightRequest request = chunk.first() ? inFlight.match(chunk.header().responseTo()) : inFlight.peek();
        if (request == null) {
            chunk.bytes().release();
            throw new ClosingException(
                    CloseCause.RESPONSE_MISMATCH,
                    "reply to a request that is not in flight: responseTo="
                            + chunk.header().responseTo());
        }
        recorder.passing(request, chunk);
        presentation.pass(request, chunk);
        // A write that fails at once ends the session within it.
        return chunk.last() && !ended ? ended(request, chunk) : Progress.PART;
    }

    private Progress ended(InFlightRequest request, ReplyChunk last) {
        ReadReply reply = recorder.read(request, last);
        if (reply.moreToCome() && !reply.notPrimary()) {
            request.expectResponseTo(last.header().requestId());
            return Progress.FRAME;
        }
        inFlight.remove();
        recorder.finished(request, reply.facts());
        return reply.notPrimary() ? Progress.NOT_PRIMARY : Progress.ENDED;
    }

    /** Sends our own replies whose turn has come: nothing older is unanswered. */
    void sendLocal() {
        InFlightRequest next = inFlight.removeLocal();
        while (next != null) {
            client.write(next.takeLocalReply());
            recorder.finished(next, next.localFacts());
            client.flush();
            next = inFlight.removeLocal();
        }
    }

    /** There will be no reply to {@code request}, and nobody waits for one. */
    void expectNone(InFlightRequest request) {
        recorder.finished(request, ReplyFacts.UNKNOWN);
    }

    /** What is in flight ends without a reply. */
    void end() {
        ended = true;
        inFlight.drainTo(request -> {
            recorder.finished(request, ReplyFacts.UNKNOWN);
            request.release();
        });
        presentation.release();
    }
}
