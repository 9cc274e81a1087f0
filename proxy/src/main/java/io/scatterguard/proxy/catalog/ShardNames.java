package io.scatterguard.proxy.catalog;

import io.scatterguard.proxy.config.ClusterShardsRule;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.CollectionRule.ChunkRule;
import io.scatterguard.proxy.config.CollectionRule.Chunks;
import io.scatterguard.proxy.config.CollectionRule.Distribution;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.CollectionRule.SplitAt;
import io.scatterguard.proxy.config.CollectionRule.Unsplittable;
import io.scatterguard.proxy.config.DatabaseRule;
import io.scatterguard.proxy.config.ShardingRule;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The shards that declared chunks are dealt to, in their order: those of the cluster, where there is one; else those that a
 * rule declares it to have, and those that the other rules name, as they come; then {@code shard-1}, {@code shard-2} and so on by their positions, as many as the rules ask for.
 */
record ShardNames(List<String> ids) {
    private static final String VIRTUAL = "shard-";

    ShardNames {
        ids = List.copyOf(ids);
    }

    static ShardNames of(List<String> cluster, Collection<ShardingRule> rules) {
        Set<String> ids = new LinkedHashSet<>(cluster);
        if (cluster.isEmpty()) {
            ids.addAll(declared(rules));
        }
        int most = 1;
        for (ShardingRule rule : rules) {
            if (cluster.isEmpty()) {
                ids.addAll(named(rule));
            }
            most = Math.max(most, asked(rule));
        }
        for (int number = ids.size() + 1; ids.size() < most; number++) {
            ids.add(VIRTUAL + number);
        }
        return new ShardNames(List.copyOf(ids));
    }

    /** The first {@code count} of them. */
    List<String> first(int count) {
        return ids.subList(0, count);
    }

    /** The shards that the cluster is declared to have; none where no rule says so. */
    static List<String> declared(Collection<ShardingRule> rules) {
        List<String> ids = List.of();
        for (ShardingRule rule : rules) {
            if (rule instanceof ClusterShardsRule cluster) {
                ids = cluster.ids();
            }
        }
        return ids;
    }

    /** The shards where a rule places something. */
    static List<String> named(ShardingRule rule) {
        if (rule instanceof DatabaseRule database) {
            return List.of(database.primary());
        }
        if (rule instanceof CollectionRule collection) {
            Distribution distribution = collection.distribution();
            if (distribution instanceof Chunks chunks) {
                return chunks.chunks().stream().map(ChunkRule::shard).distinct().toList();
            }
            return distribution instanceof Unsplittable unsplittable ? List.of(unsplittable.shard()) : List.of();
        }
        return List.of();
    }

    private static int asked(ShardingRule rule) {
        if (!(rule instanceof CollectionRule collection)) {
            return 0;
        }
        if (collection.distribution() instanceof Shards shards) {
            return shards.count();
        }
        return collection.distribution() instanceof SplitAt split ? split.shards() : 0;
    }
}
