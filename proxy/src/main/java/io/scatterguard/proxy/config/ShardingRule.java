package io.scatterguard.proxy.config;

/** One entry of {@code shardingRules}: what is declared of a collection, a view or a database. */
public sealed interface ShardingRule permits CollectionRule, ViewRule, DatabaseRule {
    /** What it is about: {@code db.coll}, or {@code db} of a database. Of two rules about the same the later one counts. */
    String subject();
}
