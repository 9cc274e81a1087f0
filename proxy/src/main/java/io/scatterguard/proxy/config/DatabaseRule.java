package io.scatterguard.proxy.config;

/**
 * The declared primary shard of a database, where its unsharded collections live.
 *
 * @param database its name
 * @param primary the id of a shard
 */
public record DatabaseRule(String database, String primary) implements ShardingRule {
    public DatabaseRule {
        new Requirements().line("database", database).line("primary", primary).check();
    }
}
