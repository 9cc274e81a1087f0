package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Judging on the data path allocates nothing, be the command a finding or not. */
class AllocationTest {
    private static final int DECISIONS = 20_000;
    private static final CompiledPolicy POLICY = policy("mode: observe, default: {reads: refuse}, rules: ["
            + "{name: a, match: {namespace: other.c, commands: [find, count]}, action: refuse},"
            + "{name: b, match: {namespace: \"o*.?\", shape: [multiShard, singleShard]}, action: log},"
            + "{name: c, match: {appName: \"x*\", certainty: any}, action: refuse}],"
            + "exemptions: [{id: e, match: {namespace: \"*.d\"}, until: 2026-12-31}]");

    /** Bytes this thread allocates in so many decisions, whose verdicts are counted so that they cannot be optimised away. */
    private static long allocated(CommandView command, Route route) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        int findings = 0;
        for (int i = 0; i < DECISIONS; i++) {
            findings += POLICY.decide(command, route, CLIENT, NOW).action() == Action.LOG ? 1 : 0;
        }
        long after = threads.getThreadAllocatedBytes(thread);
        return findings < 0 ? -1 : after - before;
    }

    @Test
    void nothingIsAllocated() {
        CommandView command = command("{find: 'c', filter: {a: 1}}");
        Route[] routes = {
            RouteFixture.scatter("shop.c"),
            RouteFixture.uncertainScatter("shop.c"),
            RouteFixture.route("shop.c", Shape.SINGLE_SHARD, Certainty.EXACT),
            RouteFixture.intrinsic("shop.c"),
            RouteFixture.notRouted("shop.c"),
        };
        for (Route route : routes) {
            allocated(command, route);

            assertThat(allocated(command, route))
                    .as("%s %s", route.kind(), route.shape())
                    .isLessThan(DECISIONS);
        }
    }
}
