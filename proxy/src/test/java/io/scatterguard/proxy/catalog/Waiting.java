package io.scatterguard.proxy.catalog;

import java.util.concurrent.CountDownLatch;

/** Waiting inside a test's hook, which may throw nothing checked. */
final class Waiting {
    private Waiting() {}

    static void forLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
