package io.scatterguard.tests.bench;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs benchmarks on threads like those of an event loop, for which Netty keeps buffers that it allocates for others. */
public final class EventLoopThread extends ThreadPoolExecutor {
    /** Called by JMH, by this signature. */
    public EventLoopThread(int threads, String prefix) {
        super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DefaultThreadFactory(prefix));
    }
}
