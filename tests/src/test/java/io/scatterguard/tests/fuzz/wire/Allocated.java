package io.scatterguard.tests.fuzz.wire;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much a piece of work allocates on this thread. */
final class Allocated {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocated() {}

    /** Runs {@code work}; twice if it allocated too much, since the first time classes may have been loaded as well. */
    static void requireLessThan(long maxBytes, Runnable work) {
        if (by(work) >= maxBytes) {
            long again = by(work);
            Framing.require(again < maxBytes, "less than " + maxBytes + " bytes allocated", again);
        }
    }

    private static long by(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
