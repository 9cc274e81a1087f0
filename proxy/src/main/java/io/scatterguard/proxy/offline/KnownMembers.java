package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.config.NearestName;
import java.util.Set;

/**
 * The members of one format. A line may have others, which are left out, but none that is nearly called like one of these:
 * that would be an expectation that is never compared.
 */
record KnownMembers(Set<String> names) {
    static final KnownMembers OF_VECTORS = new KnownMembers(Set.of(
            "id",
            "source",
            "certainty",
            "note",
            "versions",
            "shardKey",
            "unique",
            "unsharded",
            "unsplittable",
            "collation",
            "timeseries",
            "chunks",
            "allShards",
            "primaryShard",
            "involved",
            "clusterParameters",
            "command",
            "inTransaction",
            "retryable",
            "expectShards",
            "expectError",
            "numHostsTargeted",
            "protocol",
            "effectiveShards",
            "mergeShard",
            "firstHopOnly"));
    static final KnownMembers OF_CASES = new KnownMembers(Set.of(
            "id",
            "origin",
            "legend",
            "what",
            "why",
            "note",
            "cosmosRU",
            "shardKey",
            "ns",
            "view",
            "timeseries",
            "defaultCollation",
            "chunks",
            "command",
            "validFor",
            "expect",
            "expectBefore44",
            "expectBefore71",
            "expectEach",
            "errorCode",
            "targets",
            "inner"));
    static final KnownMembers OF_HASHES =
            new KnownMembers(Set.of("id", "value", "hash", "source", "certainty", "note"));
    static final KnownMembers OF_COMMANDS = new KnownMembers(
            Set.of("id", "ns", "command", "shards", "ok", "counted", "explainError", "error", "source", "note"));

    KnownMembers {
        names = Set.copyOf(names);
    }

    /** @throws LineFormatException if a member is nearly called like a known one */
    void check(Members line) {
        for (String name : line.line().keySet()) {
            if (!names.contains(name)) {
                NearestName.of(name, names).ifPresent(near -> {
                    throw new LineFormatException(
                            "member \"" + name + "\": not known (did you mean \"" + near + "\"?)");
                });
            }
        }
    }
}
