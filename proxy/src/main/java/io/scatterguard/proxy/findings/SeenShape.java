package io.scatterguard.proxy.findings;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the table. Not thread-safe: the part that it belongs to guards it. */
final class SeenShape {
    /** So many microseconds of shard time a command counts at least where rows are compared: what is refused takes none. */
    private static final long LEAST_MICROS = 1_000;

    /** What was seen within this time is taken for seen now. */
    private static final long RECENT_MILLIS = 60_000;

    private final Sighting.Subject subject;
    private final long firstMillis;
    private final TallyCounter counter = new TallyCounter();
    private final FirstNames apps = new FirstNames();
    private final FirstNames tests = new FirstNames();
    private KnownShape.Opinion last;
    private KnownShape.@Nullable Opinion lastFinding;
    private long lastMillis;

    SeenShape(Sighting first, long nowMillis) {
        this.subject = first.subject();
        this.firstMillis = nowMillis;
        this.lastMillis = nowMillis;
        this.last = new KnownShape.Opinion(first.destination(), first.decision());
    }

    void add(Sighting sighting, long serverMicros, long nowMillis) {
        counter.add(
                sighting.decision(),
                serverMicros,
                sighting.destination().reach().working());
        last = new KnownShape.Opinion(sighting.destination(), sighting.decision());
        lastFinding = sighting.decision().finding() ? last : lastFinding;
        lastMillis = Math.max(lastMillis, nowMillis);
        if (sighting.app() != null) {
            apps.add(sighting.app());
        }
        sighting.tests().forEach(tests::add);
    }

    TallyCounter counter() {
        return counter;
    }

    /** What it cost over the time since it was last seen: the row with the least is the first to go. */
    double weight(long nowMillis) {
        long idleMillis = Math.max(0, nowMillis - lastMillis);
        double cost = counter.shardMicros() + (double) LEAST_MICROS * counter.commands();
        return cost / (idleMillis + RECENT_MILLIS);
    }

    KnownShape known() {
        return new KnownShape(
                subject,
                last,
                lastFinding,
                counter.tally(),
                new KnownShape.Clients(apps.names(), tests.names()),
                new KnownShape.Period(Instant.ofEpochMilli(firstMillis), Instant.ofEpochMilli(lastMillis)));
    }
}
