package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.records.AuditRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What exemptions have let pass. Not thread-safe. */
final class ExemptionUses {
    /** How many exemptions, and query shapes of theirs, are told apart. */
    static final int MAX_IDS = 10_000;

    /**
     * What one has let pass.
     *
     * @param recorded commands whose record names it
     * @param counted commands that were only counted, of shapes that no other exemption lets pass
     * @param serverMicros the server's time for the recorded ones
     * @param shardMicros their cost
     */
    record Use(
            long recorded,
            long counted,
            long serverMicros,
            long shardMicros,
            @Nullable Instant first,
            @Nullable Instant last) {
        static final Use NONE = new Use(0, 0, 0, 0, null, null);

        private Use plus(AuditRecord record) {
            Instant at = record.at().orElse(null);
            return new Use(
                    recorded + 1,
                    counted,
                    serverMicros + record.serverMicros(),
                    shardMicros + record.shardMicros(),
                    earlier(first, at),
                    later(last, at));
        }

        private Use plusCounted(Waiting more) {
            return new Use(
                    recorded,
                    counted + more.times,
                    serverMicros,
                    shardMicros,
                    earlier(first, more.first),
                    later(last, more.last));
        }
    }

    private record Waiting(
            long times, @Nullable Instant first, @Nullable Instant last) {}

    /** Stands for several exemptions of one shape: which of them a count is of, nobody knows. */
    private static final String SEVERAL = "";

    private final Map<String, Use> uses = new HashMap<>();
    private final Map<String, String> ofShapes = new HashMap<>();
    private final Map<String, Waiting> waiting = new HashMap<>();
    private long unnamed;

    /** The record of a command that an exemption let pass. */
    void add(AuditRecord record) {
        String id = Breakdown.cut(record.fields().text("verdict", "exemption"));
        if (!uses.containsKey(id) && uses.size() >= MAX_IDS) {
            unnamed++;
            return;
        }
        uses.put(id, uses.getOrDefault(id, Use.NONE).plus(record));
        if (ofShapes.containsKey(record.id()) || ofShapes.size() < MAX_IDS) {
            ofShapes.merge(record.id(), id, (a, b) -> a.equals(b) ? a : SEVERAL);
        }
    }

    /** Counts, of which some were exempted. */
    void addCounted(AuditRecord record) {
        boolean room = waiting.containsKey(record.id()) || waiting.size() < MAX_IDS;
        if (record.id().isEmpty() || !room) {
            unnamed += record.exempted();
            return;
        }
        Instant at = record.at().orElse(null);
        waiting.merge(
                record.id(),
                new Waiting(record.exempted(), at, at),
                (a, b) -> new Waiting(a.times + b.times, earlier(a.first, b.first), later(a.last, b.last)));
    }

    private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
        return a == null || (b != null && b.isBefore(a)) ? b : a;
    }

    private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
        return a == null || (b != null && b.isAfter(a)) ? b : a;
    }

    /** By id. */
    Map<String, Use> uses() {
        Map<String, Use> all = new HashMap<>(uses);
        waiting.forEach((shape, more) -> {
            String id = ofShapes.getOrDefault(shape, SEVERAL);
            all.computeIfPresent(id, (key, use) -> use.plusCounted(more));
        });
        return all;
    }

    /** How many commands were let pass by exemptions that nobody knows. */
    long unnamed() {
        return unnamed
                + waiting.entrySet().stream()
                        .filter(entry -> !uses.containsKey(ofShapes.getOrDefault(entry.getKey(), SEVERAL)))
                        .mapToLong(entry -> entry.getValue().times)
                        .sum();
    }
}
