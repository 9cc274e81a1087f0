package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.proxy.audit.Auditor;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of a listener share.
 *
 * @param listener the listener's bind address, as it stands in records
 * @param fixedRelease the router release to assume, or null to take it from each server's {@code hello}
 * @param nanoTime the clock for durations, in nanoseconds
 */
public record SessionContext(
        String listener,
        CommandJudge judge,
        Auditor auditor,
        SessionCounters counters,
        SessionLimits limits,
        ByteBufAllocator allocator,
        @Nullable RouterRelease fixedRelease,
        LongSupplier nanoTime) {}
