package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.config.HostAndPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether a TCP connection can be made to any host of a listener's upstream. It tries by itself, because a proxy that was
 * taken out of rotation has no traffic to learn from; rarely, because each try is a line in the servers' logs.
 */
public final class UpstreamCheck implements ReadyEndpoint.Check {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String listener;
    private final List<HostAndPort> hosts;
    private final LongSupplier nanoTime;
    private boolean tried;
    private boolean reachable;
    private long triedAtNanos;

    /** {@code nanoTime}: the clock, in nanoseconds. */
    public UpstreamCheck(String listener, List<HostAndPort> hosts, LongSupplier nanoTime) {
        this.listener = listener;
        this.hosts = List.copyOf(hosts);
        this.nanoTime = nanoTime;
    }

    /** One at a time: who asks meanwhile gets the same answer. */
    @Override
    public synchronized List<ReadyEndpoint.Cause> causes() {
        if (!tried || nanoTime.getAsLong() - triedAtNanos >= KEPT_NANOS) {
            reachable = isReachable();
            triedAtNanos = nanoTime.getAsLong();
            tried = true;
        }
        return reachable ? List.of() : List.of(new ReadyEndpoint.Cause("upstreamUnreachable", true, listener));
    }

    private boolean isReachable() {
        try (Selector selector = Selector.open()) {
            try {
                for (HostAndPort host : hosts) {
                    if (connect(host, selector)) {
                        return true;
                    }
                }
                return isAnyConnected(selector);
            } finally {
                for (SelectionKey key : selector.keys()) {
                    key.channel().close();
                }
            }
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the connection is there at once; if it may come, the selector will say so. */
    private static boolean connect(HostAndPort host, Selector selector) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            boolean connected = channel.connect(new InetSocketAddress(host.host(), host.port()));
            if (!connected) {
                channel.register(selector, SelectionKey.OP_CONNECT);
                return false;
            }
        } catch (IOException | UnresolvedAddressException e) {
            channel.close();
            return false;
        }
        channel.close();
        return true;
    }

    private static boolean isAnyConnected(Selector selector) throws IOException {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        int pending = selector.keys().size();
        while (pending > 0) {
            long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (millis <= 0) {
                return false;
            }
            selector.select(millis);
            for (SelectionKey key : selector.selectedKeys()) {
                if (isConnected((SocketChannel) key.channel())) {
                    return true;
                }
                key.cancel();
                key.channel().close();
                pending--;
            }
            selector.selectedKeys().clear();
        }
        return false;
    }

    private static boolean isConnected(SocketChannel channel) {
        try {
            return channel.finishConnect();
        } catch (IOException e) {
            return false;
        }
    }
}
