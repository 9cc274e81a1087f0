package io.scatterguard.proxy.net;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How many TLS handshakes with clients may be under way in the process at one time. Whoever finds none free waits in order.
 * Thread-safe: the lock is held for a few instructions, twice a connection.
 */
public final class HandshakeSlots {
    private final int max;
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private int taken;

    /** @param max at least 1 */
    public HandshakeSlots(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("maxTlsHandshakes: " + max + " (expected: at least 1)");
        }
        this.max = max;
    }

    /** Takes a slot and runs {@code granted}: at once, or later on the thread of whoever gives one back. */
    void take(Runnable granted) {
        synchronized (this) {
            if (taken == max) {
                waiting.add(granted);
                return;
            }
            taken++;
        }
        granted.run();
    }

    /** Waits no more; false if {@code granted} was not waiting. */
    synchronized boolean cancel(Runnable granted) {
        return waiting.remove(granted);
    }

    /** Gives a slot back, to who has waited longest if anybody does. */
    void giveBack() {
        Runnable next;
        synchronized (this) {
            Iterator<Runnable> first = waiting.iterator();
            if (!first.hasNext()) {
                taken--;
                return;
            }
            next = first.next();
            first.remove();
        }
        next.run();
    }

    /** Handshakes under way. */
    synchronized int taken() {
        return taken;
    }

    /** Connections that wait to begin theirs. */
    synchronized int waiting() {
        return waiting.size();
    }
}
