package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
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
 * Keeps a {@link CatalogSnapshot} up to date: a sweep over everything but chunks on a daemon thread of its own, every period;
 * looks at the collections that are in use, and at those that are asked for, on a few others. When a refresh fails, the last
 * good snapshot is served on, ever older; before the first success it is {@link CatalogSnapshot#empty()}
 * under the overlay.
 */
public final class CatalogRefresher implements LiveCatalog, AutoCloseable {
    /** The name of the thread. */
    static final String THREAD_NAME = "scatterguard-catalog";

    private final CatalogSource source;
    private final CatalogLoader loader;
    private final CatalogReaders readers;
    private final ChangeQueue changes;
    private final LoadDemand demand = new LoadDemand(this::ask);
    private final CatalogPublication publication;
    private final RefreshSchedule schedule;
    private final ScheduledThreadPoolExecutor thread = newThread();
    private final CountDownLatch firstAttempt = new CountDownLatch(1);
    private final AtomicReference<@Nullable CompletableFuture<CatalogSnapshot>> requested = new AtomicReference<>();
    private volatile boolean closed;
    /** The next periodic refresh; touched only by the thread. */
    private @Nullable ScheduledFuture<?> next;

    /**
     * A refresher that does nothing before {@link #start()}. Takes {@code source} and closes it.
     *
     * @param period from one second on
     */
    public CatalogRefresher(CatalogSource source, Duration period) {
        this(source, period, false, UnaryOperator.identity());
    }

    /**
     * Likewise.
     *
     * @param keysOnly whether no chunks are read: then shapes are known, and no placement
     * @param overlay is put over every snapshot before it is published
     */
    public CatalogRefresher(
            CatalogSource source, Duration period, boolean keysOnly, UnaryOperator<CatalogSnapshot> overlay) {
        this(
                source,
                new RefreshSchedule(period, () -> ThreadLocalRandom.current().nextDouble()),
                Clock.systemUTC(),
                keysOnly,
                overlay);
    }

    CatalogRefresher(CatalogSource source, RefreshSchedule schedule, Clock clock) {
        this(source, schedule, clock, false, UnaryOperator.identity());
    }

    CatalogRefresher(
            CatalogSource source,
            RefreshSchedule schedule,
            Clock clock,
            boolean keysOnly,
            UnaryOperator<CatalogSnapshot> overlay) {
        this.source = source;
        this.schedule = schedule;
        this.loader = new CatalogLoader(source, clock, keysOnly, demand);
        this.publication = new CatalogPublication(loader, overlay, clock);
        this.readers = new CatalogReaders(THREAD_NAME, this::look);
        this.changes = new ChangeQueue(readers::later, this::reread);
    }

    /** Begins to refresh, at once and then every period. Returns immediately. */
    public void start() {
        thread.execute(this::run);
    }

    /** The newest snapshot; a volatile read. */
    @Override
    public CatalogSnapshot current() {
        return publication.current();
    }

    /** Publishes what is known anew, under an overlay that has changed. */
    public void overlayChanged() {
        publication.overlayChanged();
    }

    /** How refreshing is going. */
    public RefreshStatus status() {
        return publication.status();
    }

    /**
     * How long ago the present snapshot was loaded. Before the first load it counts from 1970, so that any limit on the
     * age is exceeded.
     */
    public Duration age(Instant now) {
        return publication.age(now);
    }

    /**
     * Waits until the first refresh has ended, well or not.
     *
     * @return whether a snapshot is loaded; false also when {@code timeout} passes before
     */
    public boolean awaitFirstLoad(Duration timeout) throws InterruptedException {
        boolean ended = firstAttempt.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
        return ended && current().complete();
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
        // By the marks of the snapshot: an event loop must not wait for the state, which a sweep may hold.
        CatalogUses uses = current().uses();
        namespaces.forEach(uses::mark);
        return CompletableFuture.allOf(namespaces.stream().map(this::wanted).toArray(CompletableFuture<?>[]::new));
    }

    /** What nobody waits for; not asked for again while a look is under way. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits
    private void ask(Namespace namespace) {
        if (!readers.isLooking(namespace)) {
            wanted(namespace);
        }
    }

    /** A look for the sake of a command. If it fails, the next sweep finds out what is the matter, soon. */
    private CompletableFuture<Void> wanted(Namespace namespace) {
        return readers.look(namespace).thenAccept(had -> {
            if (!had) {
                sourceFailed();
            }
        });
    }

    @Override
    public void changed(Namespace namespace) {
        changes.add(namespace);
    }

    /** Looks at one collection and publishes what it finds; says whether the source answered. */
    private boolean look(Namespace namespace) {
        try {
            loader.look(namespace);
            return true;
        } catch (RuntimeException | Error e) {
            loader.lookFailed(namespace, e);
            publication.lookFailed();
            return false;
        } finally {
            publication.publish();
        }
    }

    private void reread(Set<Namespace> changed) {
        if (changed.isEmpty()) {
            refreshNow();
            return;
        }
        try {
            for (Namespace namespace : changed) {
                // Not shared with a look that is under way, which may have read what was before the change.
                loader.reread(namespace).forEach(loader::look);
            }
        } catch (RuntimeException | Error e) {
            publication.lookFailed();
            sourceFailed();
        }
        publication.publish();
    }

    private void sourceFailed() {
        if (demand.isFailing()) {
            return; // The next refresh is as soon as it should be.
        }
        demand.setFailing(true);
        try {
            thread.execute(this::hasten);
        } catch (RejectedExecutionException e) {
            // Closed meanwhile.
        }
    }

    /** Brings the next refresh forward, unless one has succeeded since it was asked for. */
    private void hasten() {
        Duration delay = schedule.delayAfter(1);
        if (demand.isFailing() && next != null && next.getDelay(TimeUnit.MILLISECONDS) > delay.toMillis()) {
            next.cancel(false);
            schedule(delay);
        }
    }

    private void schedule(Duration delay) {
        try {
            next = thread.schedule(this::run, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // Closed meanwhile.
        }
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
            request.complete(current());
        } else if (request != null) {
            request.completeExceptionally(failure);
        }
        if (!closed) {
            schedule(schedule.delayAfter(status().failuresInARow()));
        }
    }

    /**
     * Refreshes on the calling thread, but for chunks.
     *
     * @return null after a success, else what went wrong; what was known before is then used on
     */
    @Nullable Throwable refreshOnce() {
        try {
            loader.sweep();
            demand.setFailing(false);
            poll();
            publication.publish();
            publication.refreshed();
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e;
        } catch (RuntimeException | Error e) {
            // An Error as well: it would otherwise end refreshing without a word.
            demand.setFailing(true);
            if (!closed) {
                publication.refreshFailed(e);
            }
            return e;
        } finally {
            firstAttempt.countDown();
        }
    }

    /** What is in use is looked at now. What there is no time for, as too much fails, comes with the next sweep. */
    private void poll() throws InterruptedException {
        List<Namespace> used = loader.takeUsed();
        CatalogReaders.Poll poll = readers.poll(used);
        loader.noteUse(used.subList(poll.begun(), used.size()));
        if (poll.begun() > 0 && poll.failed() == poll.begun()) {
            throw new CatalogException("config.chunks: could not be read for any of " + poll.begun()
                    + " collections (expected: for each in use, every period)");
        }
    }

    /** Ends the thread, interrupting a refresh under way, and closes the source. The last snapshot stays readable. */
    @Override
    public void close() {
        closed = true;
        thread.shutdownNow();
        readers.close();
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
