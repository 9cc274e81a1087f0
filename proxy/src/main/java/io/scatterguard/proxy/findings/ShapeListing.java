package io.scatterguard.proxy.findings;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a {@link ShapeTable} held at one time.
 *
 * @param since when counting began
 * @param at when this was read
 * @param shapes in no order
 * @param displaced how often a shape gave its row to another
 * @param other what those had been seen of until then
 */
public record ShapeListing(Instant since, Instant at, List<KnownShape> shapes, long displaced, Tally other) {
    /** A shorter time says nothing of a rate. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final double MICROS_AN_HOUR = 3_600_000_000.0;
    private static final double MICROS_A_SECOND = 1_000_000.0;

    public ShapeListing {
        shapes = List.copyOf(shapes);
    }

    /** Everything that was counted, {@link #other} included. */
    public Tally total() {
        Tally total = other;
        for (KnownShape shape : shapes) {
            total = total.plus(shape.tally());
        }
        return total;
    }

    /** For how long it was counted, a second at least. */
    public Duration counted() {
        Duration counted = Duration.between(since, at);
        return counted.compareTo(SHORTEST) < 0 ? SHORTEST : counted;
    }

    /**
     * The cost of {@code times}, in seconds of shards' time for each hour: rate times shards times server time. 3,600 keeps one
     * shard busy all the time.
     */
    public double shardSecondsPerHour(Tally.Times times) {
        double hours = counted().toNanos() / 1_000.0 / MICROS_AN_HOUR;
        return times.shardMicros() / MICROS_A_SECOND / hours;
    }
}
