package io.scatterguard.proxy.findings;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shapes of commands that this process has seen, each with what it cost. Thread-safe, and fed on event loops: a command takes
 * one look-up under the lock of one of {@link #PARTS} parts.
 *
 * <p>Bounded. Where a part is full, a new shape takes the row of the one that cost the least over the time since it was last seen,
 * so that many shapes that are seen once displace each other, and not what costs. What a displaced row had counted stays counted,
 * under no shape.
 */
public final class ShapeTable {
    /** How many shapes are told apart at most; each takes 10 KiB at most, some 1 KiB in general. */
    public static final int MAX_SHAPES = 10_000;

    static final int PARTS = 100;

    private final Clock clock;
    private final Part[] parts = new Part[PARTS];
    private volatile Instant since;

    /** {@code clock} says when what was seen, and over which time. */
    public ShapeTable(Clock clock) {
        this.clock = clock;
        this.since = clock.instant();
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new Part();
        }
    }

    /** A part of the rows; everything in it happens under its lock. */
    private static final class Part {
        private static final int MAX_ROWS = MAX_SHAPES / PARTS;

        private Map<String, SeenShape> rows = new HashMap<>();
        private TallyCounter other = new TallyCounter();
        private long displaced;

        synchronized void count(Sighting sighting, long serverMicros, long nowMillis) {
            String key = sighting.subject().key();
            SeenShape row = rows.get(key);
            if (row == null) {
                if (rows.size() >= MAX_ROWS) {
                    displace(nowMillis);
                }
                row = new SeenShape(sighting, nowMillis);
                rows.put(key, row);
            }
            row.add(sighting, serverMicros, nowMillis);
        }

        private void displace(long nowMillis) {
            Map.Entry<String, SeenShape> least = null;
            double leastWeight = Double.POSITIVE_INFINITY;
            for (Map.Entry<String, SeenShape> entry : rows.entrySet()) {
                double weight = entry.getValue().weight(nowMillis);
                if (least == null || weight < leastWeight) {
                    least = entry;
                    leastWeight = weight;
                }
            }
            if (least != null) {
                other.add(least.getValue().counter());
                displaced++;
                rows.remove(least.getKey());
            }
        }

        /** Adds the rows to {@code into}; returns what was displaced. With {@code clear} nothing is left. */
        synchronized Displaced read(List<KnownShape> into, boolean clear) {
            rows.values().forEach(row -> into.add(row.known()));
            Displaced gone = new Displaced(displaced, other.tally());
            if (clear) {
                rows = new HashMap<>();
                other = new TallyCounter();
                displaced = 0;
            }
            return gone;
        }
    }

    /** How often a row was given to another shape, and what those rows had counted. */
    private record Displaced(long times, Tally tally) {
        static final Displaced NOTHING = new Displaced(0, Tally.NOTHING);

        Displaced plus(Displaced more) {
            return new Displaced(times + more.times, tally.plus(more.tally));
        }
    }

    /** A command has ended, {@code serverMicros} after it was forwarded; 0 if it was not. */
    public void count(Sighting sighting, long serverMicros) {
        int hash = sighting.subject().key().hashCode();
        parts[Math.floorMod(hash ^ (hash >>> 16), PARTS)].count(sighting, serverMicros, clock.millis());
    }

    /** What there is now. */
    public ShapeListing list() {
        return read(false);
    }

    /** What there was; counting begins anew. Every command is counted either before or after, also those that end meanwhile. */
    public ShapeListing reset() {
        return read(true);
    }

    private ShapeListing read(boolean clear) {
        Instant now = clock.instant();
        Instant began = since;
        List<KnownShape> shapes = new ArrayList<>();
        Displaced displaced = Displaced.NOTHING;
        for (Part part : parts) {
            displaced = displaced.plus(part.read(shapes, clear));
        }
        if (clear) {
            since = now;
        }
        return new ShapeListing(began, now, shapes, displaced.times(), displaced.tally());
    }
}
