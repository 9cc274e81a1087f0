package io.scatterguard.proxy.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests of one connection whose replies have not ended, in the order they came. */
final class InFlightQueue {
    /** At this many bytes of replies of ours that wait for their turn it is full, whatever the number of requests. */
    static final int MAX_LOCAL_BYTES = 1024 * 1024;

    private final Deque<InFlightRequest> requests = new ArrayDeque<>();
    private final int maxRequests;
    private long localBytes;

    /** {@code maxRequests}: so many make it full. */
    InFlightQueue(int maxRequests) {
        this.maxRequests = maxRequests;
    }

    void add(InFlightRequest request) {
        requests.add(request);
        localBytes += request.localBytes();
    }

    /** Whether the client should not be read. */
    boolean isFull() {
        return requests.size() >= maxRequests || localBytes >= MAX_LOCAL_BYTES;
    }

    int size() {
        return requests.size();
    }

    /** Whether nothing is owed to the client: nothing is in flight, or only a {@code hello} stream, which never ends. */
    boolean isIdle() {
        return requests.isEmpty()
                || (requests.size() == 1 && requests.element().role() == InFlightRequest.Role.HANDSHAKE);
    }

    /** Whether nothing may follow yet: a step of an authentication is in flight, or the end of a refused transaction. */
    boolean holdsBack() {
        InFlightRequest newest = requests.peekLast();
        return newest != null && newest.holdsBack();
    }

    /**
     * The request that a reply to {@code responseTo} answers: the oldest one.
     *
     * @return null if the reply answers nothing that is in flight
     */
    @Nullable InFlightRequest match(int responseTo) {
        InFlightRequest oldest = requests.peek();
        boolean matches = oldest != null && !oldest.isLocal() && oldest.expectedResponseTo() == responseTo;
        return matches ? oldest : null;
    }

    /** The oldest request, null if there is none. */
    @Nullable InFlightRequest peek() {
        return requests.peek();
    }

    /** Takes out the oldest request. */
    InFlightRequest remove() {
        return requests.remove();
    }

    /** The oldest request if it is answered by us, so that its turn has come; it is taken out. */
    @Nullable InFlightRequest removeLocal() {
        InFlightRequest oldest = requests.peek();
        if (oldest == null || !oldest.isLocal()) {
            return null;
        }
        localBytes -= oldest.localBytes();
        return requests.remove();
    }

    /** Empties the queue, giving every request to {@code action}. */
    void drainTo(Consumer<InFlightRequest> action) {
        InFlightRequest next = requests.poll();
        while (next != null) {
            action.accept(next);
            next = requests.poll();
        }
        localBytes = 0;
    }
}
