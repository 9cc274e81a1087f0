package io.scatterguard.tests.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The bound on what a find by full key may allocate holds whether or not the compiler finds something to leave out. */
class AllocationBoundTest {
    private static final int COMMANDS = 4_096;
    private static final int ROUNDS = 20;

    @Test
    void aFindByFullKeyStaysWithinItsBound() {
        RouteAndVerdict state = new RouteAndVerdict();
        state.operation = Operation.FIND_FULL_KEY;
        // Watching a buffer for leaks allocates with every access.
        ByteBufAllocator unwatched = new UnpooledByteBufAllocator(true, true);
        state.prepare(unwatched, new Orders(8_000), COMMANDS);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            int judged = 0;
            for (int i = 0; i < COMMANDS; i++) {
                judged += state.judge().verdict().refused() ? 0 : 1;
            }
            long each = (threads.getThreadAllocatedBytes(thread) - before) / COMMANDS;
            assertThat(judged).isEqualTo(COMMANDS);
            assertThat(each).as("bytes a find, round %d", round).isBetween(100L, (long) RoutingBench.MAX_BYTES);
        }
    }
}
