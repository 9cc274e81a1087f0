package io.scatterguard.proxy.net;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Resolves server names off the event loops, with the system's own resolver, and keeps an answer for a few seconds. A
 * failure is not kept.
 */
final class HostResolver implements AutoCloseable {
    private static final Duration KEPT = Duration.ofSeconds(10);
    private static final int MAX_NAMES = 1_000;
    /** So that a name whose look-up hangs does not hold up the others. */
    private static final int THREADS = 4;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread created = new Thread(task, "scatterguard-resolver");
        created.setDaemon(true);
        return created;
    });
    private final AsyncLoadingCache<String, InetAddress> addresses = Caffeine.newBuilder()
            .executor(threads)
            .expireAfterWrite(KEPT)
            .maximumSize(MAX_NAMES)
            .buildAsync(HostResolver::lookUp);

    private static InetAddress lookUp(String host) throws UnknownHostException {
        return InetAddress.getByName(host);
    }

    /** The resolved form of {@code server}; fails with {@link UnknownHostException}. */
    CompletableFuture<InetSocketAddress> resolve(InetSocketAddress server) {
        return addresses
                .get(server.getHostString())
                .thenApply(address -> new InetSocketAddress(address, server.getPort()));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
