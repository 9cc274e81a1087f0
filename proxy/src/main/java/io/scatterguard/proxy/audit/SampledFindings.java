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

    private final Map<Key, Entry> entries = new HashMap<>();
    private final Entry other = new Entry(null, null, Instant.MAX);
    private Instant countedSince;
    private boolean closed;

    SampledFindings(Instant now) {
        this.countedSince = now;
    }

    private record Key(String shape, @Nullable String app) {}

    /** What is counted under one key. */
    private static final class Entry {
        final AuditEvent.@Nullable Subject subject;
        final @Nullable String app;
        Instant nextExample;
        int inFlight;
        long findings;
        long wouldRefuse;
        long exempted;
        long serverMicros;

        Entry(AuditEvent.@Nullable Subject subject, @Nullable String app, Instant nextExample) {
            this.subject = subject;
            this.app = app;
            this.nextExample = nextExample;
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
        String name = app == null ? null : JsonFields.cut(app, JsonFields.MAX_TEXT_CHARS);
        Key key = new Key(identity(subject), name);
        Entry entry = entries.get(key);
        if (entry == null && entries.size() >= MAX_KEYS) {
            entry = other;
        } else if (entry == null || !now.isBefore(entry.nextExample)) {
            if (entry == null) {
                entries.put(key, new Entry(subject, name, now.plus(EXAMPLE_EVERY)));
            } else {
                entry.nextExample = now.plus(EXAMPLE_EVERY);
            }
            return null;
        }
        entry.inFlight++;
        return new Counted(entry, verdict.wouldRefuse(), verdict.exemption() != null);
    }

    /** Its comment does not make it another; what has no shape is told apart by its name and namespace. */
    private static String identity(AuditEvent.Subject subject) {
        QueryShape shape = subject.shape();
        return shape != null
                ? shape.hash()
                : subject.command() + " " + subject.namespace().fullName();
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
        return closed ? entry.counts(countedSince, now) : null;
    }

    /** The counts of the last minute, if it is over; keys of no use any more are forgotten. */
    synchronized List<FindingCounts> due(Instant now) {
        return now.isBefore(countedSince.plus(COUNT_EVERY)) ? List.of() : take(now);
    }

    /** The counts so far; further findings are not counted. */
    synchronized List<FindingCounts> close(Instant now) {
        closed = true;
        return take(now);
    }

    private List<FindingCounts> take(Instant now) {
        List<FindingCounts> counts = new ArrayList<>();
        for (Entry entry : entries.values()) {
            if (entry.findings > 0) {
                counts.add(entry.counts(countedSince, now));
            }
        }
        if (other.findings > 0) {
            counts.add(other.counts(countedSince, now));
        }
        entries.values().removeIf(entry -> entry.inFlight == 0 && !now.isBefore(entry.nextExample));
        countedSince = now;
        return counts;
    }

    /** How many shapes and applications are told apart now. */
    synchronized int keys() {
        return entries.size();
    }
}
