package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.metrics.BoundedTable;
import io.scatterguard.proxy.metrics.ProxyMetrics;
import io.scatterguard.proxy.policy.Throttles;
import io.scatterguard.proxy.session.RefusedTransactions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The tables of a process that fill with what clients send; the metrics show how full each is. */
final class ClientTables {
    private final LivePolicy policy;
    private final AuditPipeline audit;
    private final List<RefusedTransactions> refused = new CopyOnWriteArrayList<>();

    ClientTables(LivePolicy policy, AuditPipeline audit) {
        this.policy = policy;
        this.audit = audit;
    }

    /** The table of one more listener. */
    RefusedTransactions refusedTransactions() {
        RefusedTransactions made = new RefusedTransactions();
        refused.add(made);
        return made;
    }

    void bind(ProxyMetrics metrics) {
        BoundedTable.SAMPLED_FINDINGS.bind(
                metrics, audit, AuditPipeline::sampledKeys, a -> AuditPipeline.maxSampledKeys());
        BoundedTable.THROTTLES.bind(metrics, policy.throttles(), Throttles::size, t -> Throttles.MAX_BUCKETS);
        BoundedTable.REFUSED_TRANSACTIONS.bind(
                metrics,
                refused,
                tables -> tables.stream().mapToInt(RefusedTransactions::size).sum(),
                tables -> (double) tables.size() * RefusedTransactions.MAX_SESSIONS);
    }
}
