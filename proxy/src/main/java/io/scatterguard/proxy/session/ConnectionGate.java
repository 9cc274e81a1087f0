package io.scatterguard.proxy.session;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which client connections are let in. Shared by all listeners, so that the bounds hold for the process.
 * Thread-safe. A refused connection costs a look-up and a close: there is no session and nothing is dialled.
 */
public final class ConnectionGate {
    private static final int MAPPED_PREFIX_BYTES = 12;

    private final ConnectionLimits limits;
    private final SessionCounters counters;
    private final ConnectionRates rates;
    /** Addresses with open connections only, so it is bounded by the number of connections. */
    private final ConcurrentMap<InetAddress, Integer> open = new ConcurrentHashMap<>();

    /** {@code nanoTime}: the clock for the rate, in nanoseconds. */
    public ConnectionGate(ConnectionLimits limits, SessionCounters counters, LongSupplier nanoTime) {
        this.limits = limits;
        this.counters = counters;
        this.rates = new ConnectionRates(limits.ratePerAddress(), nanoTime);
    }

    /**
     * Counts a connection that was accepted. It is counted until it is closed for a cause.
     *
     * @return why it is to be refused, null if it is not
     */
    public @Nullable CloseCause accepted() {
        return counters.opened() > limits.maxConnections() ? CloseCause.TOO_MANY_CONNECTIONS : null;
    }

    /**
     * Counts a connection for its client's address, once that is known. Who is not refused must be followed by {@link
     * #left}.
     *
     * @return why it is to be refused, null if it is not
     */
    public @Nullable CloseCause entered(InetAddress client) {
        InetAddress address = plain(client);
        if (!rates.admits(address)) {
            return CloseCause.CONNECTION_RATE;
        }
        if (limits.maxPerAddress() == 0) {
            return null;
        }
        if (open.merge(address, 1, Integer::sum) > limits.maxPerAddress()) {
            left(address);
            return CloseCause.TOO_MANY_FROM_ADDRESS;
        }
        return null;
    }

    /** A connection that {@link #entered} let in has ended. */
    public void left(InetAddress client) {
        if (limits.maxPerAddress() > 0) {
            open.computeIfPresent(plain(client), (address, count) -> count == 1 ? null : count - 1);
        }
    }

    /** How many addresses have open connections, while there is a limit for each. */
    int addresses() {
        return open.size();
    }

    /** An IPv4 address that a dual-stack socket shows as IPv6 is the same client. */
    static InetAddress plain(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (!(address instanceof Inet6Address) || !isMapped(bytes)) {
            return address;
        }
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, MAPPED_PREFIX_BYTES, bytes.length));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    private static boolean isMapped(byte[] bytes) {
        for (int i = 0; i < MAPPED_PREFIX_BYTES; i++) {
            if (bytes[i] != (i < 10 ? 0 : (byte) 0xff)) {
                return false;
            }
        }
        return true;
    }
}
