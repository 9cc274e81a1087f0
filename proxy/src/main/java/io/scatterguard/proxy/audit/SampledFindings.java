package io.scatterguard.proxy.audit;

import io.scatterguard.proxy.policy.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code findings: sampled}: of findings that are no refusals the first of each shape and application in an hour gets a
 * record, the others are counted, and the counts become records once a minute. Bounded: what belongs to more than
 * {@link #MAX_KEYS} shapes and applications is counted together. Thread-safe; every call takes a few instructions.
 */
final class SampledFindings {
    /** How many pairs of a shape and an application are told apart; each takes 5 KiB at most, some 500 bytes in general. */
    static final int MAX_KEYS = 4_096;

    static final Duration EXAMPLE_EVERY = Duration.ofHours(1);
    static final Duration COUNT_EVERY = Duration.ofSeconds(60);

    /** By so much a clock goes back only if somebody sets it. */
    private static final Duration STEP_BACK = Duration.ofSeconds(1);

    private final Map<Key, Entry> entries = new HashMap<>();
    private final Entry other = new Entry(null, null, Long.MAX_VALUE);
    private Instant countedSince;
    private boolean closed;

    /** The clock as it was read last, and how much of it has passed; of the latter, when counts were taken last. */
    private Instant read;

    private long passedNanos;
    private long countedNanos;

    SampledFindings(Instant now) {
        this.countedSince = now;
        this.read = now;
    }

    /**
     * How much time has passed: a clock that is set back must not stop counts and examples for as long. A step back of a
     * moment is none: threads read the clock before they come here one by one.
     */
    private long passed(Instant now) {
        if (now.isAfter(read)) {
            passedNanos += Duration.between(read, now).toNanos();
            read = now;
        } else if (now.isBefore(read.minus(STEP_BACK))) {
            read = now;
        }
        return passedNanos;
    }

    private record Key(String shape, @Nullable String app) {
        static Key of(AuditEvent.Subject subject, @Nullable String app) {
            return new Key(identity(subject), app == null ? null : JsonFields.cut(app, JsonFields.MAX_TEXT_CHARS));
        }

        /** Its comment does not make it another; what has no shape is told apart by its name and namespace. */
        private static String identity(AuditEvent.Subject subject) {
            QueryShape shape = subject.shape();
            return shape != null
                    ? shape.hash()
                    : subject.command() + " " + subject.namespace().fullName();
        }
    }

    /** What is counted under one key. */
    private static final class Entry {
        final AuditEvent.@Nullable Subject subject;
        final @Nullable String app;
        /** How much time will have passed when there is another example. */
        long nextExampleNanos;

        int inFlight;
        long findings;
        long wouldRefuse;
        long exempted;
        long serverMicros;

        Entry(AuditEvent.@Nullable Subject subject, @Nullable String app, long nextExampleNanos) {
            this.subject = subject;
            this.app = app;
            this.nextExampleNanos = nextExampleNanos;
        }

        FindingCounts counts(Instant from, Instant to) {
            FindingCounts counts = new FindingCounts(
                    subject, app, new FindingCounts.Tally(from, to, findings, wouldRefuse, exempted, serverMicros));
            findings = 0;
            wouldRefuse = 0;
            exempted = 0;
            serverMicros = 0;
            return counts;
        }
    }

    /** A finding that is in flight and will be counted. */
    record Counted(Entry entry, boolean wouldRefuse, boolean exempted) implements Auditor.PendingRecord {
        @Override
        public @Nullable String shapeHash() {
            QueryShape shape = entry.subject == null ? null : entry.subject.shape();
            return shape == null ? null : shape.hash();
        }
    }

    /**
     * A finding comes.
     *
     * @return null if it is the example that gets a record of its own
     */
    synchronized @Nullable Counted begin(
            AuditEvent.Subject subject, @Nullable String app, Verdict verdict, Instant now) {
        Key key = Key.of(subject, app);
        long passed = passed(now);
        Entry entry = entries.get(key);
        if (entry == null && entries.size() >= MAX_KEYS) {
            entry = other;
        } else if (entry == null || passed >= entry.nextExampleNanos) {
            if (entry == null) {
                entries.put(key, new Entry(subject, key.app(), passed + EXAMPLE_EVERY.toNanos()));
            } else {
                entry.nextExampleNanos = passed + EXAMPLE_EVERY.toNanos();
            }
            return null;
        }
        entry.inFlight++;
        return new Counted(entry, verdict.wouldRefuse(), verdict.exemption() != null);
    }

    /** The example never got on its way to the sinks: the next one is an example again. */
    synchronized void exampleLost(AuditEvent.Subject subject, @Nullable String app) {
        Entry entry = entries.get(Key.of(subject, app));
        if (entry != null) {
            entry.nextExampleNanos = passedNanos;
        }
    }

    /**
     * The finding has ended.
     *
     * @return the count of this one alone, if nothing is counted any more; else null
     */
    synchronized @Nullable FindingCounts end(Counted counted, long serverMicros, Instant now) {
        Entry entry = counted.entry();
        entry.inFlight--;
        entry.findings++;
        entry.wouldRefuse += counted.wouldRefuse() ? 1 : 0;
        entry.exempted += counted.exempted() ? 1 : 0;
        entry.serverMicros += serverMicros;
        return closed ? entry.counts(since(now), now) : null;
    }

    /** The counts of the last minute, if it is over; keys of no use any more are forgotten. */
    synchronized List<FindingCounts> due(Instant now) {
        return passed(now) - countedNanos < COUNT_EVERY.toNanos() ? List.of() : take(now);
    }

    /** The counts so far; further findings are not counted. */
    synchronized List<FindingCounts> close(Instant now) {
        closed = true;
        return take(now);
    }

    private List<FindingCounts> take(Instant now) {
        List<FindingCounts> counts = new ArrayList<>();
        long passed = passed(now);
        Instant since = since(now);
        for (Entry entry : entries.values()) {
            if (entry.findings > 0) {
                counts.add(entry.counts(since, now));
            }
        }
        if (other.findings > 0) {
            counts.add(other.counts(since, now));
        }
        entries.values().removeIf(entry -> entry.inFlight == 0 && passed >= entry.nextExampleNanos);
        countedSince = now;
        countedNanos = passed;
        return counts;
    }

    /** When counting began; not after it ends, whatever the clock says. */
    private Instant since(Instant now) {
        return countedSince.isAfter(now) ? now : countedSince;
    }

    /** How many shapes and applications are told apart now. */
    synchronized int keys() {
        return entries.size();
    }
}
