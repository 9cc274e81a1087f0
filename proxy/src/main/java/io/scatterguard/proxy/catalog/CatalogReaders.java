package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The threads on which single collections are looked at. Whoever asks for the same collection shares one look. A poll of many
 * collections takes half of the threads, so that one that somebody waits for does not wait for the poll. Thread-safe.
 */
final class CatalogReaders implements AutoCloseable {
    /** How many there are. */
    static final int THREADS = 4;

    /** How many of them a poll takes. */
    static final int POLLING = 2;

    /** After how many failures a poll is given up. */
    static final int MAX_FAILURES = 3;

    private final ConcurrentHashMap<Namespace, CompletableFuture<Boolean>> running = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor threads;
    private final Predicate<Namespace> look;

    /**
     * @param look looks at a collection and publishes what it finds; says whether it could be had, and never throws
     */
    CatalogReaders(String threadName, Predicate<Namespace> look) {
        this.look = look;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread daemon = new Thread(task, threadName + "-" + number.incrementAndGet());
            daemon.setDaemon(true);
            return daemon;
        });
        threads.setRemoveOnCancelPolicy(true);
    }

    /** Looks at a collection. Completes with whether that worked; also after {@link #close()}, with false. */
    CompletableFuture<Boolean> look(Namespace namespace) {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> shared = running.putIfAbsent(namespace, mine);
        if (shared != null) {
            return shared.copy();
        }
        try {
            threads.execute(() -> run(namespace, mine));
        } catch (RejectedExecutionException e) {
            end(namespace, mine, false);
        }
        return mine.copy();
    }

    /** Whether a look at the collection is under way, or has its turn soon. */
    boolean isLooking(Namespace namespace) {
        return running.containsKey(namespace);
    }

    private void run(Namespace namespace, CompletableFuture<Boolean> look) {
        boolean had = false;
        try {
            had = this.look.test(namespace);
        } finally {
            end(namespace, look, had);
        }
    }

    private void end(Namespace namespace, CompletableFuture<Boolean> look, boolean had) {
        running.remove(namespace, look);
        look.complete(had);
    }

    /**
     * How a poll went.
     *
     * @param begun how many looks there were: fewer than asked for if {@link #MAX_FAILURES} failed
     * @param failed how many of them failed
     */
    record Poll(int begun, int failed) {}

    /** Looks at every one of {@code namespaces}, and returns when all looks have ended. */
    Poll poll(List<Namespace> namespaces) throws InterruptedException {
        Semaphore free = new Semaphore(POLLING);
        AtomicInteger failures = new AtomicInteger();
        int begun = 0;
        while (begun < namespaces.size() && failures.get() < MAX_FAILURES) {
            free.acquire();
            look(namespaces.get(begun++)).thenAccept(had -> {
                if (!had) {
                    failures.incrementAndGet();
                }
                free.release();
            });
        }
        free.acquire(POLLING);
        return new Poll(begun, failures.get());
    }

    /** Runs {@code task} on one of the threads, after {@code delay}; not at all after {@link #close()}. */
    void later(Runnable task, Duration delay) {
        try {
            threads.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // Closed meanwhile.
        }
    }

    /** Interrupts what is being read, and ends the threads. */
    @Override
    public void close() {
        threads.shutdownNow();
        running.forEach((namespace, look) -> end(namespace, look, false));
    }
}
