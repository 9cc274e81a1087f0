package io.scatterguard.proxy.config;

/** One entry of {@code shardingRules}: what is declared of a collection, a view or a database. */
public sealed interface ShardingRule permits CollectionRule, ViewRule, DatabaseRule {}
