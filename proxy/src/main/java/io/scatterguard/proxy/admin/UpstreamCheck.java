package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.config.HostAndPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a TCP connection can be made to any host of a listener's upstream. It tries by itself, because a proxy that was
 * taken out of rotation has no traffic to learn from; rarely, because each try is a line in the servers' logs; and on a thread
 * of its own, because looking up a name may take as long as it likes. Who asks is told what the last try found.
 */
public final class UpstreamCheck implements ReadyEndpoint.Check {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String listener;
    private final List<HostAndPort> hosts;
    private final Function<HostAndPort, InetSocketAddress> resolve;
    private final LongSupplier nanoTime;
    private @Nullable Attempt running;
    private boolean reachable;
    private boolean tried;
    private long triedAtNanos;

    /** A try that has not ended: since when it runs, by the check's clock, and whom it wakes. */
    private record Attempt(long sinceNanos, CountDownLatch end) {}

    /** {@code nanoTime}: the clock, in nanoseconds. */
    public UpstreamCheck(String listener, List<HostAndPort> hosts, LongSupplier nanoTime) {
        this(listener, hosts, host -> new InetSocketAddress(host.host(), host.port()), nanoTime);
    }

    /** {@code resolve}: looks a name up; may block. */
    UpstreamCheck(
            String listener,
            List<HostAndPort> hosts,
            Function<HostAndPort, InetSocketAddress> resolve,
            LongSupplier nanoTime) {
        this.listener = listener;
        this.hosts = List.copyOf(hosts);
        this.resolve = resolve;
        this.nanoTime = nanoTime;
    }

    /** What the last try found; only who asks while the first one is young waits for it, a second at most. */
    @Override
    public List<ReadyEndpoint.Cause> causes() {
        CountDownLatch first = begin();
        if (first != null) {
            try {
                first.await(TIMEOUT_NANOS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return isKnownReachable() ? List.of() : List.of(new ReadyEndpoint.Cause("upstreamUnreachable", true, listener));
    }

    /** Has it tried again if it is time; returns whose end to wait for: of the first try, until it is a second old. */
    private synchronized @Nullable CountDownLatch begin() {
        long now = nanoTime.getAsLong();
        if (running == null && (!tried || now - triedAtNanos >= KEPT_NANOS)) {
            Attempt attempt = new Attempt(now, new CountDownLatch(1));
            Thread thread = new Thread(() -> attempt(attempt), "scatterguard-reachability");
            thread.setDaemon(true);
            thread.start();
            running = attempt;
        }
        return tried || running == null || now - running.sinceNanos() >= TIMEOUT_NANOS ? null : running.end();
    }

    private void attempt(Attempt attempt) {
        boolean found = false;
        try {
            found = isReachable();
        } finally {
            ended(found);
            attempt.end().countDown();
        }
    }

    private synchronized void ended(boolean found) {
        reachable = found;
        tried = true;
        triedAtNanos = nanoTime.getAsLong();
        running = null;
    }

    /** A try that takes longer than what it finds would be kept for has failed already. */
    private synchronized boolean isKnownReachable() {
        return reachable && (running == null || nanoTime.getAsLong() - running.sinceNanos() < KEPT_NANOS);
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
    private boolean connect(HostAndPort host, Selector selector) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            boolean connected = channel.connect(resolve.apply(host));
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
