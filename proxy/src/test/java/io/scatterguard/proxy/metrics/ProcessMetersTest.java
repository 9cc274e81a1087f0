package io.scatterguard.proxy.metrics;

import static io.scatterguard.proxy.metrics.MeterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the process takes is what the JVM and the allocator say. */
class ProcessMetersTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final ProxyMetrics metrics = new ProxyMetrics("c", 50, (route, client) -> OwnerLookup.UNOWNED);

    ProcessMetersTest() {
        ProcessMeters.bind(metrics, allocator);
    }

    @Test
    void theHeapIsBelowItsLimit() {
        assertThat(value(metrics, "scatterguard_heap_limit_bytes"))
                .isEqualTo((double) Runtime.getRuntime().maxMemory());
        assertThat(value(metrics, "scatterguard_heap_used_bytes"))
                .isPositive()
                .isLessThan(value(metrics, "scatterguard_heap_limit_bytes"));
    }

    @Test
    void buffersAreThoseOfTheAllocator() {
        assertThat(value(metrics, "scatterguard_direct_memory_used_bytes")).isZero();
        ByteBuf buffer = allocator.directBuffer(1 << 20);
        assertThat(value(metrics, "scatterguard_direct_memory_used_bytes")).isEqualTo(1 << 20);
        buffer.release();
        assertThat(value(metrics, "scatterguard_direct_memory_used_bytes")).isZero();
        assertThat(value(metrics, "scatterguard_direct_memory_limit_bytes")).isGreaterThan(1 << 20);
    }

    @Test
    void aCollectionIsCounted() {
        double before = value(metrics, "scatterguard_gc_pauses_total");
        double time = value(metrics, "scatterguard_gc_pause_seconds_total");
        System.gc();
        assertThat(value(metrics, "scatterguard_gc_pauses_total")).isGreaterThan(before);
        assertThat(value(metrics, "scatterguard_gc_pause_seconds_total")).isGreaterThanOrEqualTo(time);
    }

    /** By the names that collectors give themselves. */
    @ParameterizedTest
    @CsvSource({
        "G1 Young Generation, true",
        "G1 Old Generation, true",
        "G1 Concurrent GC, false",
        "Copy, true",
        "MarkSweepCompact, true",
        "PS Scavenge, true",
        "ZGC Cycles, false",
        "ZGC Pauses, true",
        "ZGC Minor Cycles, false",
        "ZGC Major Pauses, true",
        "Shenandoah Cycles, false",
        "Shenandoah Pauses, true"
    })
    void onlyWhatStopsTheProcessIsAPause(String collector, boolean pauses) {
        assertThat(ProcessMeters.pauses(collector)).isEqualTo(pauses);
    }

    @Test
    void threadsAndFilesAreThoseOfTheProcess(@TempDir Path folder) throws IOException {
        assertThat(value(metrics, "scatterguard_threads")).isBetween(2.0, 5_000.0);
        double before = value(metrics, "scatterguard_open_files");
        assertThat(before).isPositive().isLessThan(value(metrics, "scatterguard_open_files_limit"));
        Path file = Files.writeString(folder.resolve("file"), "x");
        InputStream[] open = new InputStream[500];
        try {
            for (int i = 0; i < open.length; i++) {
                open[i] = Files.newInputStream(file);
            }
            assertThat(value(metrics, "scatterguard_open_files")).isGreaterThan(before + 400);
        } finally {
            for (InputStream stream : open) {
                if (stream != null) {
                    stream.close();
                }
            }
        }
    }
}
