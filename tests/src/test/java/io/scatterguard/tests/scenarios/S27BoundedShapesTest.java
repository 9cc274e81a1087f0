package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.findings.Destination;
import io.scatterguard.proxy.findings.ShapeListing;
import io.scatterguard.proxy.findings.ShapeTable;
import io.scatterguard.proxy.findings.Sighting;
import io.scatterguard.tests.support.MemoryFigures;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** S27 (mongodb_exporter #746): 100,000 distinct query shapes, each as large as a shape can be, and what is known of them is bounded. */
class S27BoundedShapesTest {
    private static final int SHAPES = 100_000;

    /** What {@link ShapeTable#MAX_SHAPES} says of one. */
    private static final long MAX_BYTES = ShapeTable.MAX_SHAPES * 10L * 1024;

    private static final Sighting.Decision LOGGED = new Sighting.Decision("log", false, true, true, null, "shop-team");
    private static final Destination BROADCAST = new Destination(
            "allShards", "scatterGather", "exact", false, new Destination.Reach(3, 3), List.of("region"));

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);

    /** Characters that take two bytes. */
    private static String wide(int number, int length) {
        String begin = Integer.toString(number);
        return begin + "й".repeat(length - begin.length());
    }

    private static Sighting.Subject subject(int i) {
        return new Sighting.Subject(
                new Namespace(wide(i, 256), wide(i, 256)), "find", wide(i, 2_048), "%016x".formatted(i));
    }

    @Test
    void whatIsKnownOfShapesIsBounded() {
        long before = MemoryFigures.of(allocator).heapBytes();
        ShapeTable table = new ShapeTable(Clock.systemUTC());
        for (int i = 0; i < SHAPES; i++) {
            Sighting.Subject subject = subject(i);
            for (int client = 0; client < 8; client++) {
                String app = wide(client, 1_000);
                table.count(new Sighting(subject, BROADCAST, LOGGED, app, List.of("x".repeat(127) + client)), 1);
            }
        }
        long grown = MemoryFigures.of(allocator).heapBytes() - before;
        ShapeListing listing = table.list();
        System.out.printf(
                "S27: %,d shapes: %,d known, %,d displaced, %,d KiB of heap%n",
                SHAPES, listing.shapes().size(), listing.displaced(), grown >> 10);

        assertThat(listing.shapes()).hasSize(ShapeTable.MAX_SHAPES);
        assertThat(listing.displaced()).isEqualTo(SHAPES - ShapeTable.MAX_SHAPES);
        assertThat(listing.total().commands()).isEqualTo(8L * SHAPES);
        assertThat(grown).isLessThan(MAX_BYTES);
    }
}
