package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.records.AuditRecord;
import io.scatterguard.proxy.records.RecordFields;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which proxies wrote the records, and what is missing of each. Not thread-safe. */
final class Sources {
    /** How many proxies are told apart. */
    static final int MAX_SOURCES = 1_000;

    private static final Name OTHERS = new Name("", "");

    private record Name(String cluster, String instance) {}

    private static final class Tally {
        private long records;
        private long gaps;
        private long lost;
        private long repeated;
        private long missingBefore;
        private @Nullable SequenceRun run;

        private void take(long from, long to, @Nullable Instant at) {
            SequenceRun current = run;
            if (current == null) {
                run = new SequenceRun(from, to, at);
            } else if (!current.take(from, to, at)) {
                if (current.isAnother(from, at)) {
                    missingBefore += current.missing();
                    run = new SequenceRun(from, to, at);
                } else {
                    repeated += to - from + 1;
                }
            }
        }

        private Summary.Source source(Name name) {
            long missing = missingBefore + (run == null ? 0 : run.missing());
            return new Summary.Source(name.cluster, name.instance, records, gaps, lost, missing, repeated);
        }
    }

    private final Map<Name, Tally> byName = new HashMap<>();

    /** A record, a count or a gap. */
    void add(AuditRecord record) {
        RecordFields fields = record.fields();
        Name name = new Name(Breakdown.cut(fields.text("cluster")), Breakdown.cut(fields.text("instance")));
        boolean known = byName.containsKey(name) || byName.size() < MAX_SOURCES;
        Tally tally = byName.computeIfAbsent(known ? name : OTHERS, key -> new Tally());
        Instant at = record.at().orElse(null);
        if (record.kind() == AuditRecord.Kind.GAP) {
            long from = fields.number("gap", "from");
            tally.gaps++;
            tally.lost += record.represents();
            tally.take(from, Math.max(from, fields.number("gap", "to")), at);
        } else {
            tally.records++;
            long seq = fields.number("seq");
            tally.take(seq, seq, at);
        }
    }

    /** By cluster and instance. */
    List<Summary.Source> all() {
        return byName.entrySet().stream()
                .map(entry -> entry.getValue().source(entry.getKey()))
                .sorted(Comparator.comparing(Summary.Source::cluster).thenComparing(Summary.Source::instance))
                .toList();
    }
}
