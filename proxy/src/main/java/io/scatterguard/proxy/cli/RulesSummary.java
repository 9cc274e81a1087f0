package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.DeclaredCatalog;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.config.ClusterShardsRule;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.DatabaseRule;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.config.ViewRule;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** What rules declare where there is no cluster, for people: one line a rule. */
final class RulesSummary {
    private final CatalogSnapshot catalog;
    private final StringBuilder text = new StringBuilder();

    private RulesSummary(CatalogSnapshot catalog) {
        this.catalog = catalog;
    }

    static String of(List<ShardingRule> rules) {
        DeclaredCatalog declared = DeclaredKeys.catalog(rules, RouterRelease.DEFAULT);
        RulesSummary summary = new RulesSummary(
                declared.apply(CatalogLoad.ofNothing(Instant.EPOCH).snapshot()));
        summary.line(count(rules.size(), "rule"));
        summary.line("shards: " + String.join(", ", summary.catalog.registry().ids()));
        rules.forEach(summary::rule);
        declared.problems().forEach(problem -> summary.line("problem: " + problem.message()));
        return summary.text.toString();
    }

    private void rule(ShardingRule rule) {
        if (rule instanceof CollectionRule collection) {
            line("collection " + rule.subject() + ": " + collection(collection));
        } else if (rule instanceof ViewRule view) {
            line("view " + rule.subject() + ": on " + view.viewOn() + ", "
                    + count(view.pipeline().size(), "stage"));
        } else if (rule instanceof DatabaseRule database) {
            line("database " + rule.subject() + ": primary " + database.primary());
        } else if (rule instanceof ClusterShardsRule cluster) {
            line("cluster: " + count(cluster.ids().size(), "shard") + ", " + String.join(", ", cluster.ids()));
        }
    }

    private String collection(CollectionRule rule) {
        RoutingTable table = Objects.requireNonNull(catalog.table(DeclaredCatalog.tracked(rule, catalog)));
        String shards = String.join(", ", catalog.registry().names(table.owningShards()));
        if (table.collection().unsplittable()) {
            return "not sharded, on " + shards;
        }
        String chunks = table.boundsKnown() ? count(table.chunkCount(), "chunk") : "chunks that are not known";
        return (rule.timeseries() == null ? "" : "time series, ") + "sharded by " + table.shardKey()
                + (rule.unique() ? ", unique" : "") + ", " + chunks + " on " + shards;
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
