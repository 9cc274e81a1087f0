package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.LiveCatalog;
import io.scatterguard.proxy.routing.NotLoaded;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the next request of one session back while metadata of its namespaces is loading: until that is there, cannot be
 * had, or {@code catalog.loadTimeout} has passed. A request waits once; what is not loaded then is unknown. Everything runs on
 * the session's event loop.
 *
 * <pre>
 *   free ──begins──▶ waiting ──loaded, failed, timed out, stopped, bypassed──▶ has waited ──planned──▶ free
 * </pre>
 */
final class MetadataWait {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataWait.class);

    /** How often who waits looks whether bypass has been turned on meanwhile, which is to take effect within a second. */
    static final Duration LOOK = Duration.ofMillis(250);

    private final ListenerCatalog catalog;
    private final SessionCounters counters;
    private final SessionLoop loop;
    private final BooleanSupplier bypassed;
    private final Runnable ended;
    private @Nullable Wait waiting;
    private boolean hasWaited;
    private boolean hurried;

    /**
     * @param bypassed whether nothing is judged at present, so that nothing needs to be waited for
     * @param ended run when a wait is over: the request that waited is to be planned again
     */
    MetadataWait(
            ListenerCatalog catalog,
            SessionCounters counters,
            SessionLoop loop,
            BooleanSupplier bypassed,
            Runnable ended) {
        this.catalog = catalog;
        this.counters = counters;
        this.loop = loop;
        this.bypassed = bypassed;
        this.ended = ended;
    }

    /** One wait; told from others by its identity. */
    private static final class Wait {
        final List<Namespace> missing;
        Runnable timer = () -> {};
        /** Null once it is over: a load that takes long must not keep sessions that have ended. */
        volatile @Nullable MetadataWait owner;

        Wait(List<Namespace> missing, MetadataWait owner) {
            this.missing = missing;
            this.owner = owner;
        }

        /** The load has ended; on any thread. */
        void loadEnded() {
            MetadataWait one = owner;
            if (one != null) {
                one.loop.execute(() -> one.over(this));
            }
        }
    }

    boolean isWaiting() {
        return waiting != null;
    }

    /** Whether the request that is planned next has waited; asked once for each. */
    boolean takeHasWaited() {
        boolean waited = hasWaited;
        hasWaited = false;
        return waited;
    }

    /**
     * Begins to wait if metadata for {@code command}, which is borrowed, is to be loaded first. Before anything was ever
     * loaded there is nothing to wait for: the whole catalog is missing.
     */
    boolean begins(CommandView command) {
        CatalogSnapshot snapshot = catalog.live().current();
        List<Namespace> missing = NotLoaded.of(command, snapshot);
        if (missing.isEmpty() || !snapshot.complete() || hurried) {
            return false;
        }
        return catalog.patience().mayWaitFor(missing) && begin(new Wait(missing, this));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Both outcomes are the same to who waits.
    private boolean begin(Wait wait) {
        LiveCatalog live = catalog.live();
        try {
            if (catalog.loadTimeout().isZero()) {
                catalog.patience().pause(wait.missing);
                live.load(wait.missing);
                return false;
            }
            waiting = wait;
            await(wait, catalog.loadTimeout());
            live.load(wait.missing).whenComplete((nothing, error) -> wait.loadEnded());
            return true;
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("metadata could not be asked for", ValueFreeFault.of(e));
            drop();
            catalog.patience().failed(wait.missing);
            return false;
        }
    }

    private void await(Wait wait, Duration left) {
        Duration step = left.compareTo(LOOK) > 0 ? LOOK : left;
        wait.timer = loop.after(step, () -> look(wait, left.minus(step)));
    }

    @SuppressWarnings("ReferenceEquality") // As in over.
    private void look(Wait wait, Duration left) {
        if (waiting != wait) {
            return;
        }
        if (bypassed.getAsBoolean()) {
            letGo();
        } else if (left.isZero()) {
            over(wait);
        } else {
            await(wait, left);
        }
    }

    @SuppressWarnings("ReferenceEquality") // An earlier load may end late.
    private void over(Wait wait) {
        if (waiting != wait) {
            return;
        }
        drop();
        hasWaited = true;
        try {
            note(wait.missing);
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("metadata that was waited for could not be looked at", ValueFreeFault.of(e));
        }
        ended.run();
    }

    /** Notes whether waiting for {@code missing} was of use. */
    private void note(List<Namespace> missing) {
        CatalogSnapshot snapshot = catalog.live().current();
        boolean answered = true;
        boolean known = true;
        for (Namespace namespace : missing) {
            answered &= snapshot.notLoaded(namespace).isEmpty();
            // Nothing is asked for while the source fails, nor of what is damaged: no answer of use all the same.
            known &= !snapshot.isUnknown(namespace);
        }
        counters.waitedForMetadata(known);
        if (answered) {
            catalog.patience().loaded(missing);
        } else {
            catalog.patience().failed(missing);
        }
    }

    private void drop() {
        if (waiting != null) {
            waiting.timer.run();
            waiting.owner = null;
            waiting = null;
        }
    }

    /** From now on nothing waits: the client has gone, and what it sent last still goes out. Ends a wait. */
    void hurry() {
        hurried = true;
        letGo();
    }

    /** Ends a wait of which nothing is to be learnt. */
    private void letGo() {
        if (waiting != null) {
            drop();
            hasWaited = true;
            ended.run();
        }
    }

    /** The session has ended. */
    void stop() {
        hurried = true;
        drop();
    }
}
