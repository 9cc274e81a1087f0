package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a {@link CatalogSnapshot} up to date on one daemon thread of its own. When a refresh fails, the last good
 * snapshot is served on, ever older; before the first success it is {@link CatalogSnapshot#empty()}.
 */
public final class CatalogRefresher implements LiveCatalog, AutoCloseable {
    /** The name of the thread. */
    static final String THREAD_NAME = "scatterguard-catalog";

    private final CatalogSource source;
    private final CatalogLoader loader;
    private final RefreshSchedule schedule;
    private final Clock clock;
    /** Every snapshot goes through it before it is published. */
    private final UnaryOperator<CatalogSnapshot> overlay;

    private final RefreshLog log = new RefreshLog();
    private final ScheduledThreadPoolExecutor thread = newThread();
    private final CountDownLatch firstAttempt = new CountDownLatch(1);
    private final AtomicReference<@Nullable CompletableFuture<CatalogSnapshot>> requested = new AtomicReference<>();
    private volatile CatalogSnapshot current = CatalogSnapshot.empty();
    private volatile RefreshStatus status = RefreshStatus.initial();
    private volatile boolean closed;
    /** The next periodic refresh; touched only by the thread. */
    private @Nullable ScheduledFuture<?> next;

    /**
     * A refresher that does nothing before {@link #start()}. Takes {@code source} and closes it.
     *
     * @param period from one second on
     */
    public CatalogRefresher(CatalogSource source, Duration period) {
        this(source, period, UnaryOperator.identity());
    }

    /**
     * As {@link #CatalogRefresher(CatalogSource, Duration)}.
     *
     * @param overlay what is laid over each snapshot before it is published; must be fast and never fail
     */
    public CatalogRefresher(CatalogSource source, Duration period, UnaryOperator<CatalogSnapshot> overlay) {
        this(
                source,
                new RefreshSchedule(period, () -> ThreadLocalRandom.current().nextDouble()),
                Clock.systemUTC(),
                overlay);
    }

    CatalogRefresher(CatalogSource source, RefreshSchedule schedule, Clock clock) {
        this(source, schedule, clock, UnaryOperator.identity());
    }

    CatalogRefresher(
            CatalogSource source, RefreshSchedule schedule, Clock clock, UnaryOperator<CatalogSnapshot> overlay) {
        this.overlay = overlay;
        this.source = source;
        this.schedule = schedule;
        this.clock = clock;
        this.loader = new CatalogLoader(source, clock);
    }

    /** Begins to refresh, at once and then every period. Returns immediately. */
    public void start() {
        thread.execute(this::run);
    }

    /** The newest snapshot; a volatile read. */
    @Override
    public CatalogSnapshot current() {
        return current;
    }

    /** How refreshing is going; a volatile read. */
    public RefreshStatus status() {
        return status;
    }

    /**
     * How long ago the present snapshot was loaded. Before the first load it counts from 1970, so that any limit on the
     * age is exceeded.
     */
    public Duration age(Instant now) {
        Duration age = Duration.between(current.loadedAt(), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /**
     * Waits until the first refresh has ended, well or not.
     *
     * @return whether a snapshot is loaded; false also when {@code timeout} passes before
     */
    public boolean awaitFirstLoad(Duration timeout) throws InterruptedException {
        boolean ended = firstAttempt.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
        return ended && current.complete();
    }

    /**
     * Asks for a refresh at once; requests that come before it begins share it. The period starts anew after it.
     *
     * @return the new snapshot, or the error of a refresh that failed; a CancellationException after {@link #close()}
     */
    public CompletableFuture<CatalogSnapshot> refreshNow() {
        CompletableFuture<CatalogSnapshot> mine = new CompletableFuture<>();
        CompletableFuture<CatalogSnapshot> shared = requested.compareAndExchange(null, mine);
        if (shared != null) {
            return shared.copy();
        }
        try {
            thread.execute(this::run);
        } catch (RejectedExecutionException e) {
            cancelRequest();
        }
        return mine.copy();
    }

    @Override
    public CompletableFuture<Void> load(List<Namespace> namespaces) {
        return refreshNow().handle((snapshot, failure) -> null);
    }

    @Override
    public void changed(Namespace namespace) {
        refreshNow();
    }

    /** How many refreshes wait for their time: one between two refreshes. */
    int scheduled() {
        return thread.getQueue().size();
    }

    private static ScheduledThreadPoolExecutor newThread() {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, THREAD_NAME);
            daemon.setDaemon(true);
            return daemon;
        });
        // Every request cancels the periodic refresh; cancelled ones must not pile up until their time.
        thread.setRemoveOnCancelPolicy(true);
        return thread;
    }

    private void run() {
        if (next != null) {
            next.cancel(false);
        }
        CompletableFuture<CatalogSnapshot> request = requested.getAndSet(null);
        Throwable failure = refreshOnce();
        if (request != null && failure == null) {
            request.complete(current);
        } else if (request != null) {
            request.completeExceptionally(failure);
        }
        if (!closed) {
            Duration delay = schedule.delayAfter(status.failuresInARow());
            try {
                next = thread.schedule(this::run, delay.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                // Closed meanwhile.
            }
        }
    }

    /**
     * Refreshes on the calling thread.
     *
     * @return null after a success, else what went wrong; the snapshot is then the one from before
     */
    @Nullable Throwable refreshOnce() {
        try {
            CatalogLoad load = loader.load();
            RefreshStatus before = status;
            current = overlay.apply(load.snapshot());
            status = before.afterSuccess(load);
            log.succeeded(before, status, current);
            return null;
        } catch (RuntimeException | Error e) {
            // An Error as well: it would otherwise end refreshing without a word.
            if (!closed) {
                status = status.afterFailure(e.getMessage() == null ? e.toString() : e.getMessage());
                log.failed(status, current, age(clock.instant()));
            }
            return e;
        } finally {
            firstAttempt.countDown();
        }
    }

    /** Ends the thread, interrupting a refresh under way, and closes the source. The last snapshot stays readable. */
    @Override
    public void close() {
        closed = true;
        thread.shutdownNow();
        source.close();
        cancelRequest();
        firstAttempt.countDown();
    }

    private void cancelRequest() {
        CompletableFuture<CatalogSnapshot> request = requested.getAndSet(null);
        if (request != null) {
            request.completeExceptionally(new CancellationException("the catalog refresher is closed"));
        }
    }
}
