package io.scatterguard.proxy.audit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether records wait for a sink that must not lose any ({@code whenFull: block}): who makes records then stops making
 * them until it is told to go on. Nobody is ever blocked in a call.
 */
public final class AuditPressure {
    private static final Logger LOG = LoggerFactory.getLogger(AuditPressure.class);

    private final Set<Runnable> paused = new LinkedHashSet<>();
    private int raised;

    /**
     * Asks whether to pause.
     *
     * @param resume run on any thread, once, when there is room again; the same one is kept once
     * @return whether to pause; if not, {@code resume} is not kept
     */
    public synchronized boolean pause(Runnable resume) {
        if (raised > 0) {
            paused.add(resume);
        }
        return raised > 0;
    }

    /** Forgets one that has ended. */
    public synchronized void forget(Runnable resume) {
        paused.remove(resume);
    }

    /** How many are paused. */
    public synchronized int paused() {
        return paused.size();
    }

    /** A queue is half full. */
    public synchronized void raise() {
        raised++;
    }

    /** A queue that was half full has room again. Runs what it relieves: not for who holds a lock. */
    public void lower() {
        boolean relieves;
        synchronized (this) {
            raised--;
            relieves = raised == 0;
        }
        if (relieves) {
            reconsider();
        }
    }

    /** Lets everybody who is paused ask again, for instance because they need not wait any more. */
    public void reconsider() {
        List<Runnable> asked;
        synchronized (this) {
            asked = new ArrayList<>(paused);
            paused.clear();
        }
        asked.forEach(AuditPressure::resume);
    }

    /** Its event loop may be gone already; and one that fails must not keep the others from going on. */
    private static void resume(Runnable one) {
        try {
            one.run();
        } catch (RuntimeException | Error e) {
            LOG.debug(
                    "a paused client is not there any more error={}",
                    e.getClass().getName());
        }
    }
}
