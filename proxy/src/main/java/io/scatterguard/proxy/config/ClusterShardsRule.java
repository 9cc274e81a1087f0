package io.scatterguard.proxy.config;

import java.util.HashSet;
import java.util.List;

/**
 * The declared shards of a cluster that is not there yet: what is broadcast to every shard reaches these.
 *
 * @param ids in the order of {@code config.shards}, at least one
 */
public record ClusterShardsRule(List<String> ids) implements ShardingRule {
    static final String KEY = "clusterShards";

    /** No database has a name with a blank. */
    private static final String SUBJECT = "the cluster's shards";

    public ClusterShardsRule {
        ids = List.copyOf(ids);
        Requirements requirements = new Requirements()
                .that(!ids.isEmpty(), KEY, "none (expected: the ids of the cluster's shards, like [shard-a, shard-b])")
                .that(
                        new HashSet<>(ids).size() == ids.size(),
                        KEY,
                        "a shard twice in " + Quoting.quoted(String.join(", ", ids)) + " (expected: each once)");
        ids.forEach(id -> requirements.line(KEY, id));
        requirements.check();
    }

    @Override
    public String subject() {
        return SUBJECT;
    }
}
