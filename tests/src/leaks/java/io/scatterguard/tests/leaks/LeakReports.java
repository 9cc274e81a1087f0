package io.scatterguard.tests.leaks;

import io.netty.buffer.ByteBufAllocator;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The leaks of this JVM that were found and not yet collected. Static because Netty's detectors are. */
public final class LeakReports {
    private static final Queue<String> REPORTS = new ConcurrentLinkedQueue<>();
    private static final long GC_PATIENCE_MILLIS = 10_000;

    private LeakReports() {}

    static void add(String report) {
        REPORTS.add(report);
    }

    /** Finds every resource that is lost by now; returns and forgets the reports. Takes two full collections. */
    public static List<String> collect() {
        // References of one collection are enqueued in any order, those of an earlier one before those of a later one:
        // after the second, all that the first found are in the detector's queue.
        collectGarbage();
        collectGarbage();
        ByteBufAllocator.DEFAULT.directBuffer(1).release(); // A detector looks into its queue when it tracks something.
        List<String> reports = new ArrayList<>();
        for (String report = REPORTS.poll(); report != null; report = REPORTS.poll()) {
            reports.add(report);
        }
        return reports;
    }

    private static void collectGarbage() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> marker = new WeakReference<>(new Object(), queue);
        System.gc();
        try {
            if (queue.remove(GC_PATIENCE_MILLIS) != marker) {
                throw new IllegalStateException(
                        "System.gc() collected nothing: leaks cannot be found (is -XX:+DisableExplicitGC set?)");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking for leaks", e);
        }
    }
}
