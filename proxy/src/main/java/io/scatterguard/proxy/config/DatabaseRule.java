package io.scatterguard.proxy.config;

/**
 * The declared primary shard of a database, where its unsharded collections live.
 *
 * @param database its name
 * @param primary the id of a shard
 */
public record DatabaseRule(String database, String primary) implements ShardingRule {
    public DatabaseRule {
        new Requirements()
                .line("database", database)
                .that(
                        database.indexOf('.') < 0,
                        "database",
                        Quoting.quoted(database) + " (expected: a name without a dot)")
                .line("primary", primary)
                .check();
    }

    @Override
    public String subject() {
        return database;
    }
}
