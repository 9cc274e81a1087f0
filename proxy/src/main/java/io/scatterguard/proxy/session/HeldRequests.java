package io.scatterguard.proxy.session;

import io.scatterguard.protocol.wire.WireMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Requests that came before they can be planned: while the server connection is being made, or while a step of an
 * authentication is in flight, or while metadata is loading. Keeps their order; owns them. Bounded in that the client is no longer read when it is full.
 */
final class HeldRequests {
    /** At this many bytes it is full, whatever the number of requests. */
    static final int MAX_BYTES = 1024 * 1024;

    private final Deque<WireMessage> requests = new ArrayDeque<>();
    private final int maxRequests;
    private long bytes;

    HeldRequests(int maxRequests) {
        this.maxRequests = maxRequests;
    }

    /** Takes {@code request}. */
    void add(WireMessage request) {
        requests.add(request);
        bytes += request.header().messageLength();
    }

    /** Takes back {@code request}, the oldest, which cannot be planned yet after all. */
    void putBack(WireMessage request) {
        requests.addFirst(request);
        bytes += request.header().messageLength();
    }

    /** The oldest request, which the caller owns from then on; null if there is none. */
    @Nullable WireMessage poll() {
        WireMessage request = requests.poll();
        if (request != null) {
            bytes -= request.header().messageLength();
        }
        return request;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    boolean isFull() {
        return requests.size() >= maxRequests || bytes >= MAX_BYTES;
    }

    void release() {
        requests.forEach(WireMessage::release);
        requests.clear();
        bytes = 0;
    }
}
