package io.scatterguard.proxy.net;

import java.time.Duration;

/**
 * How long clients may take.
 *
 * @param handshake from connecting to the end of the first request, whatever has to come before it
 * @param idle without a byte in either direction and nothing in flight; zero for no limit
 * @param requestBuffer a large request's wait for room
 * @param requestStall a large request that has room, without a byte of it
 */
public record ClientTimeouts(Duration handshake, Duration idle, Duration requestBuffer, Duration requestStall) {
    public ClientTimeouts {
        if (isNone(handshake) || idle.isNegative() || isNone(requestBuffer) || isNone(requestStall)) {
            throw new IllegalArgumentException("client timeouts: " + handshake + ", " + idle + ", " + requestBuffer
                    + ", " + requestStall + " (expected: positive, the second one or zero)");
        }
    }

    private static boolean isNone(Duration timeout) {
        return timeout.isNegative() || timeout.isZero();
    }
}
