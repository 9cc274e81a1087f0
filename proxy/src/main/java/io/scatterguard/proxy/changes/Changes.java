package io.scatterguard.proxy.changes;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison came to.
 *
 * @param before the one side, for people
 * @param after the other one
 * @param rows what changes, the most harmful first, then the costliest
 */
public record Changes(String before, String after, List<Row> rows, Totals totals) {
    static final Comparator<Row> ORDER = Comparator.comparing(Row::change)
            .thenComparing(Comparator.<Row>comparingLong(row -> row.seen().shardMicrosAfter())
                    .reversed())
            .thenComparing(
                    Comparator.<Row>comparingLong(row -> row.seen().times()).reversed())
            .thenComparing(row -> row.subject().id())
            .thenComparing(row -> row.before().way())
            .thenComparing(row -> row.after().way());

    public Changes {
        rows = List.copyOf(rows);
    }

    /**
     * A change of one query shape. A shape has several where its commands change in several ways.
     *
     * @param known whether the shape is in the baseline
     */
    public record Row(
            Compared.Subject subject,
            boolean known,
            Change change,
            Fate before,
            Fate after,
            Compared.Advice advice,
            Seen seen) {
        /** Whether it is worse and not in the baseline. */
        boolean isFresh() {
            return change.isWorse() && !known;
        }
    }

    /**
     * @param times how many commands
     * @param serverMicros sum of the server's time, as it was recorded
     * @param shardMicrosBefore sum of server time times shards before; that of commands whose shards are not known left out
     * @param shardMicrosAfter likewise afterwards, if a shard takes as long as the server took
     */
    public record Seen(
            long times,
            long serverMicros,
            long shardMicrosBefore,
            long shardMicrosAfter,
            @Nullable Instant first,
            @Nullable Instant last) {}

    /**
     * @param commands how many were judged
     * @param changed how many of them change
     * @param unchangedShapes how many shapes have no command that changes
     * @param beyond how many changing commands are of shapes that are not listed, because there are too many
     */
    public record Totals(long commands, long changed, long unchangedShapes, long beyond) {
        long unchanged() {
            return commands - changed;
        }
    }

    /** How many rows are worse and not in the baseline. */
    public long fresh() {
        return rows.stream().filter(Row::isFresh).count();
    }

    /** How many rows are worse. */
    public long worse() {
        return rows.stream().filter(row -> row.change().isWorse()).count();
    }
}
