package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done with one request.
 *
 * @param request how its reply is waited for
 * @param forwarded the bytes for the server, owned by whoever carries the plan out; null if we answer ourselves
 * @param ahead a request of our own that goes to the server first; null if there is none
 */
record RequestPlan(
        InFlightRequest request,
        @Nullable ByteBuf forwarded,
        @Nullable RequestPlan ahead) {
    RequestPlan(InFlightRequest request, @Nullable ByteBuf forwarded) {
        this(request, forwarded, null);
    }
}
