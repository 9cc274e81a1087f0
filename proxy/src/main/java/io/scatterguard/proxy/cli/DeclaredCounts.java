package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.DatabaseRule;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.config.ViewRule;
import java.util.List;

/**
 * How much sharding rules declare; two rules about the same count once.
 *
 * @param collections time-series collections and unsplittable ones among them
 * @param views declared views
 * @param databases databases with a declared primary
 */
record DeclaredCounts(int collections, int views, int databases) {
    static DeclaredCounts of(List<ShardingRule> rules) {
        return new DeclaredCounts(
                count(rules, CollectionRule.class), count(rules, ViewRule.class), count(rules, DatabaseRule.class));
    }

    private static int count(List<ShardingRule> rules, Class<? extends ShardingRule> kind) {
        return (int) rules.stream()
                .filter(kind::isInstance)
                .map(ShardingRule::subject)
                .distinct()
                .count();
    }
}
