package io.scatterguard.proxy.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the process takes: memory, pauses, threads, files. Read of the JVM's own beans when somebody asks, not by Micrometer's
 * binders: their labels name collectors and memory pools, which differ between JVMs, and one of them keeps a thread.
 */
public final class ProcessMeters {
    /** Held here: counters that are read do not hold what they read of. */
    private static final List<GarbageCollectorMXBean> PAUSING = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(collector -> pauses(collector.getName()))
            .toList();

    private ProcessMeters() {}

    /** Binds this process, and the {@code allocator} of its buffers. */
    public static void bind(ProxyMetrics metrics, ByteBufAllocator allocator) {
        MeterRegistry registry = metrics.registry();
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        Metric.HEAP_USED.gauge(registry, memory, m -> m.getHeapMemoryUsage().getUsed());
        Metric.HEAP_LIMIT.gauge(registry, memory, m -> m.getHeapMemoryUsage().getMax());
        Metric.DIRECT_USED.gauge(registry, allocator, ProcessMeters::directBytes);
        Metric.DIRECT_LIMIT.gauge(registry, allocator, a -> PlatformDependent.maxDirectMemory());
        Metric.GC_PAUSES.counter(registry, PAUSING, p -> sum(p, GarbageCollectorMXBean::getCollectionCount));
        Metric.GC_PAUSE_TIME.counter(registry, PAUSING, p -> sum(p, GarbageCollectorMXBean::getCollectionTime) / 1_000);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Metric.THREADS.gauge(registry, threads, ThreadMXBean::getThreadCount);
        Metric.OPEN_FILES.gauge(registry, threads, t -> files(UnixOperatingSystemMXBean::getOpenFileDescriptorCount));
        Metric.OPEN_FILES_LIMIT.gauge(
                registry, threads, t -> files(UnixOperatingSystemMXBean::getMaxFileDescriptorCount));
    }

    /** What the allocator has taken of the system, free or in use. */
    private static double directBytes(ByteBufAllocator allocator) {
        return allocator instanceof ByteBufAllocatorMetricProvider provider
                ? provider.metric().usedDirectMemory()
                : Double.NaN;
    }

    /** Whether the process stands still while that collector works; these JVMs count the work beside the process apart. */
    static boolean pauses(String collector) {
        return !collector.contains("Concurrent") && !collector.contains("Cycles");
    }

    /** A collector that does not know says -1. */
    private static double sum(List<GarbageCollectorMXBean> beans, ToDoubleFunction<GarbageCollectorMXBean> figure) {
        return beans.stream()
                .mapToDouble(bean -> Math.max(0, figure.applyAsDouble(bean)))
                .sum();
    }

    /** There only where the system is a Unix. */
    private static double files(ToDoubleFunction<UnixOperatingSystemMXBean> figure) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? figure.applyAsDouble(unix)
                : Double.NaN;
    }
}
