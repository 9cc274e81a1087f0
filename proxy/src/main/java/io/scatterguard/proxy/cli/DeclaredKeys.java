package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.DeclaredCatalog;
import io.scatterguard.proxy.catalog.DeclaredLayout;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.config.UpstreamConfig;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lays the declared rules of a running proxy over every snapshot, and says once what contradicts the cluster. */
final class DeclaredKeys implements UnaryOperator<CatalogSnapshot> {
    private static final Logger LOG = LoggerFactory.getLogger(DeclaredKeys.class);

    private final RouterRelease release;
    private volatile List<ShardingRule> rules = List.of();
    private volatile DeclaredCatalog declared;
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    private DeclaredKeys(List<ShardingRule> rules, RouterRelease release) {
        this.release = release;
        this.declared = catalog(rules, release);
        this.rules = rules;
    }

    static DeclaredKeys of(ScatterguardConfig config) {
        DeclaredKeys keys = new DeclaredKeys(config.shardingRules(), release(config.routerVersion()));
        keys.announce();
        return keys;
    }

    /** The tables of rules, as a cluster of that release would have them. */
    static DeclaredCatalog catalog(List<ShardingRule> rules, RouterRelease release) {
        return new DeclaredCatalog(rules, DeclaredLayout.of(release.major(), release.minor()));
    }

    private static RouterRelease release(@Nullable String configured) {
        return configured == null ? RouterRelease.DEFAULT : RouterRelease.parse(configured);
    }

    /**
     * From now on lays {@code changed} over snapshots; the one that is published stays until its overlay is renewed.
     *
     * @param renew renews it; run if this is a change
     */
    void replace(List<ShardingRule> changed, Runnable renew) {
        if (changed.equals(rules)) {
            return;
        }
        declared = catalog(changed, release);
        rules = changed;
        said.clear();
        announce();
        renew.run();
    }

    private void announce() {
        if (!rules.isEmpty()) {
            DeclaredCounts counts = DeclaredCounts.of(rules);
            LOG.info(
                    "shard keys are declared: collections={} views={} databases={}",
                    counts.collections(),
                    counts.views(),
                    counts.databases());
        }
        for (CatalogProblem problem : declared.problems()) {
            LOG.warn("a declared view cannot be used: namespace={} error={}", problem.subject(), problem.message());
        }
    }

    @Override
    public CatalogSnapshot apply(CatalogSnapshot cluster) {
        for (String difference : declared.differences(cluster)) {
            if (said.add(difference)) {
                LOG.warn("a sharding rule contradicts the cluster, and counts: {}", difference);
            }
        }
        return declared.apply(cluster);
    }

    /** In front of what is no cluster, and without rules, there is nothing to judge by. */
    static void warnOfNothing(ScatterguardConfig config, CatalogSnapshot snapshot) {
        boolean cluster = config.listeners().stream()
                .anyMatch(listener -> listener.upstream().kind() == UpstreamConfig.Kind.MONGOS);
        if (!cluster && snapshot.complete() && snapshot.registry().registered().isEmpty()) {
            LOG.warn("nothing will be judged: the upstream is not sharded and no shard key is declared"
                    + " (expected: shardingRules or shardingRulesFile)");
        }
    }
}
