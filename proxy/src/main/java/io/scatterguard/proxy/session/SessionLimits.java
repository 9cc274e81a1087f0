package io.scatterguard.proxy.session;

/**
 * The bounds of one session.
 *
 * @param maxInFlight requests whose replies have not ended; at this number the client is not read
 * @param maxHeldRequests requests kept until they can be planned; at this number the client is not read
 */
public record SessionLimits(int maxInFlight, int maxHeldRequests) {
    public SessionLimits {
        if (maxInFlight < 1 || maxHeldRequests < 1) {
            throw new IllegalArgumentException(
                    "session limits: " + maxInFlight + ", " + maxHeldRequests + " (expected: at least 1)");
        }
    }
}
