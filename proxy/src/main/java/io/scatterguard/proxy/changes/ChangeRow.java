package io.scatterguard.proxy.changes;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The commands of one row, added up. */
final class ChangeRow {
    private final Compared example;
    private Fate before;
    private Fate after;
    private long times;
    private long serverMicros;
    private long shardMicrosBefore;
    private long shardMicrosAfter;
    private @Nullable Instant first;
    private @Nullable Instant last;

    ChangeRow(Compared example) {
        this.example = example;
        this.before = example.before();
        this.after = example.after();
    }

    void add(Compared one) {
        // Of a command whose first batch was not slow enough to be logged, the second one is all there is.
        times += one.continued() && times > 0 ? 0 : 1;
        serverMicros += one.serverMicros();
        shardMicrosBefore += one.serverMicros() * Math.max(0, one.before().shards());
        shardMicrosAfter += one.serverMicros() * Math.max(0, one.after().shards());
        before = before.and(one.before());
        after = after.and(one.after());
        Instant at = one.at();
        if (at != null) {
            first = first == null || at.isBefore(first) ? at : first;
            last = last == null || at.isAfter(last) ? at : last;
        }
    }

    String id() {
        return example.subject().id();
    }

    Changes.Row row(boolean known) {
        return new Changes.Row(
                example.subject(),
                known,
                example.change(),
                before,
                after,
                example.advice(),
                new Changes.Seen(times, serverMicros, shardMicrosBefore, shardMicrosAfter, first, last));
    }
}
