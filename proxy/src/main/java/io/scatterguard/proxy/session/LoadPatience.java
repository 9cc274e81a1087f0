package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.Namespace;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Whether it is worth waiting for metadata: for what could not be had a moment ago nobody waits again, and for nothing at
 * all once several namespaces in a row could not be had. So a source that is slow or away delays a command now and then, and
 * not every one. Shared by the sessions of a listener; thread-safe.
 */
final class LoadPatience {
    /** How long nobody waits for what could not be had. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /** After so many namespaces that could not be had, without one that could, nobody waits for any. */
    static final int LIMIT = 3;

    /** How many namespaces are remembered; the oldest is forgotten first. */
    static final int MAX_NAMESPACES = 1_000;

    private final LongSupplier nanoTime;
    private final Map<Namespace, Long> pausedAt = new LinkedHashMap<>();
    private int inARow;
    private boolean allPaused;
    private long allPausedAt;

    LoadPatience(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether anybody should wait for {@code missing} now. */
    synchronized boolean mayWaitFor(List<Namespace> missing) {
        long now = nanoTime.getAsLong();
        if (allPaused && now - allPausedAt < PAUSE.toNanos()) {
            return false;
        }
        for (Namespace namespace : missing) {
            if (isPaused(namespace, now)) {
                return false;
            }
        }
        return true;
    }

    private boolean isPaused(Namespace namespace, long now) {
        Long at = pausedAt.get(namespace);
        return at != null && now - at < PAUSE.toNanos();
    }

    /** {@code missing} was loaded while somebody waited. */
    synchronized void loaded(List<Namespace> missing) {
        pausedAt.keySet().removeAll(missing);
        inARow = 0;
        allPaused = false;
    }

    /** {@code missing} could not be had in time. */
    synchronized void failed(List<Namespace> missing) {
        long now = nanoTime.getAsLong();
        boolean again = missing.stream().allMatch(namespace -> isPaused(namespace, now));
        pause(missing);
        // Many that waited for the same are one failure.
        if (!again && ++inARow >= LIMIT) {
            allPaused = true;
            allPausedAt = now;
        }
    }

    /** Nobody waits for {@code missing} for a while. */
    synchronized void pause(List<Namespace> missing) {
        long now = nanoTime.getAsLong();
        for (Namespace namespace : missing) {
            pausedAt.remove(namespace);
            pausedAt.put(namespace, now);
        }
        Iterator<Namespace> oldest = pausedAt.keySet().iterator();
        while (pausedAt.size() > MAX_NAMESPACES && oldest.hasNext()) {
            oldest.next();
            oldest.remove();
        }
    }
}
