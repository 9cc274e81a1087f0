package io.scatterguard.proxy.session;

/**
 * The bounds of one session.
 *
 * @param maxInFlight requests whose replies have not ended; at this number the client is not read
 * @param maxEarlyRequests requests kept while the server connection is being made; at this number the client is not read
 */
public record SessionLimits(int maxInFlight, int maxEarlyRequests) {
    public SessionLimits {
        if (maxInFlight < 1 || maxEarlyRequests < 1) {
            throw new IllegalArgumentException(
                    "session limits: " + maxInFlight + ", " + maxEarlyRequests + " (expected: at least 1)");
        }
    }
}
