package io.scatterguard.proxy.config;

/** One entry of {@code shardingRules}: what is declared of a collection, a view, a database or the whole cluster. */
public sealed interface ShardingRule permits CollectionRule, ViewRule, DatabaseRule, ClusterShardsRule {
    /** What it is about: {@code db.coll}, or {@code db} of a database, or words that name neither. Of two rules about the same the later one counts. */
    String subject();
}
