package io.scatterguard.proxy.session;

/**
 * How many client connections there may be, over all listeners.
 *
 * @param maxConnections at one time in all
 * @param maxPerAddress at one time of one client address; 0 for no limit
 * @param ratePerAddress new ones a second of one client address, of which {@link #BURST_SECONDS} seconds' worth may come at
 *     once; 0 for no limit
 */
public record ConnectionLimits(int maxConnections, int maxPerAddress, int ratePerAddress) {
    /** How many seconds' worth of new connections an address that was quiet may open at once: a driver's pools. */
    static final int BURST_SECONDS = 10;

    public ConnectionLimits {
        if (maxConnections < 1 || maxPerAddress < 0 || ratePerAddress < 0) {
            throw new IllegalArgumentException("connection limits: " + maxConnections + ", " + maxPerAddress + ", "
                    + ratePerAddress + " (expected: at least 1, 0, 0)");
        }
    }
}
