package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.LiveCatalog;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands what changed metadata on to the catalog: the first at once, what follows within a second together when that is over,
 * so that no client can have metadata read as often as it likes, and nothing is forgotten. Shared by the sessions of a
 * listener; thread-safe.
 */
final class ChangeReports {
    static final Duration SPACING = Duration.ofSeconds(1);

    private final LiveCatalog live;
    private final LongSupplier nanoTime;
    private boolean reported;
    private long reportedAt;
    private @Nullable Namespace pending;

    ChangeReports(LiveCatalog live, LongSupplier nanoTime) {
        this.live = live;
        this.nanoTime = nanoTime;
    }

    /**
     * Reports a change, on the event loop of the session that saw it.
     *
     * @param changed a collection, a whole database, or {@link PlacementChange#EVERYTHING}
     */
    void report(Namespace changed, SessionLoop loop) {
        if (isDue(changed, loop)) {
            live.changed(changed);
        }
    }

    private synchronized boolean isDue(Namespace changed, SessionLoop loop) {
        if (pending != null) {
            pending = both(pending, changed);
            return false;
        }
        long now = nanoTime.getAsLong();
        long left = reported ? SPACING.toNanos() - (now - reportedAt) : 0;
        if (left > 0) {
            // First what may fail: what is pending without a timer would never be reported, nor what joins it.
            loop.after(Duration.ofNanos(left), this::reportPending);
            pending = changed;
            return false;
        }
        reported = true;
        reportedAt = now;
        return true;
    }

    private void reportPending() {
        Namespace changed = takePending();
        if (changed != null) {
            live.changed(changed);
        }
    }

    private synchronized @Nullable Namespace takePending() {
        Namespace changed = pending;
        pending = null;
        reported = true;
        reportedAt = nanoTime.getAsLong();
        return changed;
    }

    /** The smallest thing that both are part of. */
    private static Namespace both(Namespace one, Namespace other) {
        if (one.equals(other)) {
            return one;
        }
        return one.database().equals(other.database()) ? new Namespace(one.database(), "") : PlacementChange.EVERYTHING;
    }
}
