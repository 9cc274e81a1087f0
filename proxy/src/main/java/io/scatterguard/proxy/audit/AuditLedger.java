package io.scatterguard.proxy.audit;

import java.util.concurrent.TimeUnit;

/**
 * What became of the records. Each one that is numbered is counted exactly once: as recorded if every sink took it, else as
 * dropped; so {@code recorded + dropped} is the last {@code seq} once nothing waits.
 */
final class AuditLedger {
    private long waiting;
    private long recorded;
    private long dropped;
    /** Those of them that never got on their way. */
    private long refused;

    private boolean abandoned;

    /** A record is on its way to the sinks. */
    synchronized void taken() {
        waiting++;
    }

    /** A record never got on its way. */
    synchronized void refused() {
        dropped++;
        refused++;
    }

    /** A record has arrived wherever it will; {@code everywhere} if every sink took it. */
    synchronized void settled(boolean everywhere) {
        if (abandoned) {
            return;
        }
        waiting--;
        if (everywhere) {
            recorded++;
        } else {
            dropped++;
        }
        notifyAll();
    }

    /** What has not arrived by now counts as dropped, whatever still becomes of it. */
    synchronized void abandon() {
        abandoned = true;
        dropped += waiting;
        waiting = 0;
        notifyAll();
    }

    /** Waits until the first {@code count} records are recorded or dropped; false if they are not by {@code nanos} from now. */
    synchronized boolean awaitSettled(long count, long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        long refusedBefore = refused;
        // One that is refused meanwhile comes after those that wait.
        while (recorded + dropped - (refused - refusedBefore) < count) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    synchronized long recorded() {
        return recorded;
    }

    synchronized long dropped() {
        return dropped;
    }
}
