package io.scatterguard.tests.support;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingMethod;

/**
 * The blocking calls that were made on the proxy's event loops: {@code FastThreadLocalThread}s (what Netty runs event loops
 * on) whose name starts with {@link #THREAD_PREFIX}. A call is recorded and goes on, so that a test sees all of them.
 *
 * <p>Allowed are:
 * <ul>
 *   <li>class loading ({@code ClassLoader.loadClass}, BlockHound's own list): it happens once, wherever a class is first used;
 *   <li>{@code Logger.callAppenders} of Logback and {@code System.out}/{@code err} (BlockHound's own list): how a log line is
 *       written is the operator's choice of an appender;
 *   <li>what Netty's integration lists: its allocators' short locks, {@code SslHandler} handshakes, the pause of a loop that
 *       shuts down ({@code confirmShutdown}) or failed ({@code handleLoopException});
 *   <li>one of those short locks that it leaves out, {@code Magazine.free} of the adaptive allocator, when it expands;
 *   <li>{@code LoggerFactory.performInitialization} of SLF4J: the first logger of a JVM reads the logging configuration.
 * </ul>
 */
public final class BlockingCalls {
    /** What the names of the proxy's event loop threads start with. */
    public static final String THREAD_PREFIX = "scatterguard-";

    private static final Queue<AssertionError> RECORDED = new ConcurrentLinkedQueue<>();
    private static boolean installed;

    private BlockingCalls() {}

    /** Starts watching, once per JVM. */
    static synchronized void watch() {
        if (installed) {
            return;
        }
        BlockHound.builder()
                .loadIntegrations()
                .allowBlockingCallsInside("org.slf4j.LoggerFactory", "performInitialization")
                .allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator$Magazine", "free")
                // Replaces the predicate of Netty's integration, which takes in the in-memory server's loops as well.
                .nonBlockingThreadPredicate(others -> BlockingCalls::mustNotBlock)
                .blockingMethodCallback(BlockingCalls::record)
                .install();
        installed = true;
    }

    /** The calls since the last time, as errors with the stack of the call; they are forgotten. */
    public static List<AssertionError> drain() {
        List<AssertionError> calls = new ArrayList<>();
        for (AssertionError call = RECORDED.poll(); call != null; call = RECORDED.poll()) {
            calls.add(call);
        }
        return calls;
    }

    private static boolean mustNotBlock(Thread thread) {
        return thread instanceof FastThreadLocalThread && thread.getName().startsWith(THREAD_PREFIX);
    }

    /** Runs inside the call on the event loop: does nothing that could block itself. */
    private static void record(BlockingMethod method) {
        RECORDED.add(new AssertionError(
                "blocking call " + method + " on " + Thread.currentThread().getName()));
    }
}
