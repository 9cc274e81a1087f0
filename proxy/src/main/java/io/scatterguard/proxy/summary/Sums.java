package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.records.AuditRecord;
import java.util.Comparator;

/**
 * What some records come to.
 *
 * @param findings how many commands were logged or refused
 * @param refused how many of them were refused
 * @param wouldRefuse how many of them the policy would have refused, but forwarded
 * @param exempted how many commands beside them an exemption let pass
 * @param serverMicros the server's time for the findings
 * @param shardMicros their cost: server time times shards
 */
public record Sums(long findings, long refused, long wouldRefuse, long exempted, long serverMicros, long shardMicros) {
    static final Sums NONE = new Sums(0, 0, 0, 0, 0, 0);

    /** The costliest first, then the most frequent. */
    static final Comparator<Sums> BY_COST = Comparator.comparingLong(Sums::shardMicros)
            .thenComparingLong(Sums::findings)
            .thenComparingLong(Sums::exempted)
            .reversed();

    /** Who was refused most first, or would have been. */
    static final Comparator<Sums> BY_REFUSALS = Comparator.comparingLong(
                    (Sums sums) -> sums.refused() + sums.wouldRefuse())
            .thenComparingLong(Sums::findings)
            .reversed();

    /** Those of the record of a command. */
    static Sums of(AuditRecord record) {
        boolean finding = record.findings() > 0;
        return new Sums(
                record.findings(),
                record.refused(),
                record.wouldRefuse(),
                record.exempted(),
                finding ? record.serverMicros() : 0,
                finding ? record.shardMicros() : 0);
    }

    Sums plus(Sums more) {
        return new Sums(
                findings + more.findings,
                refused + more.refused,
                wouldRefuse + more.wouldRefuse,
                exempted + more.exempted,
                serverMicros + more.serverMicros,
                shardMicros + more.shardMicros);
    }

    /** How many findings were forwarded. */
    public long logged() {
        return findings - refused;
    }

    public boolean isNothing() {
        return findings == 0 && exempted == 0;
    }
}
