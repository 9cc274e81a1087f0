package io.scatterguard.proxy.validation;

import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.TimeseriesRule;
import java.util.List;
import org.bson.BsonDocument;

/** Checks the rule of one collection by itself, without a database. */
final class CollectionCheck {
    private static final String SYSTEM_PREFIX = "system.";

    private final CollectionRule rule;
    private final Findings findings;
    private final KeyPattern key;

    private CollectionCheck(CollectionRule rule, Findings findings) {
        this.rule = rule;
        this.findings = findings;
        this.key = new KeyPattern(rule.key());
    }

    static void check(CollectionRule rule, Findings findings) {
        CollectionCheck check = new CollectionCheck(rule, findings);
        check.namespace();
        if (isSharded(rule)) {
            check.uniqueKey();
            check.indexes();
            if (rule.timeseries() == null) {
                check.uniqueId();
            } else {
                check.timeseries(rule.timeseries());
            }
        }
    }

    /** An unsplittable collection is on one shard, and nothing that follows from a shard key holds for it. */
    static boolean isSharded(CollectionRule rule) {
        return !(rule.distribution() instanceof CollectionRule.Unsplittable);
    }

    private void namespace() {
        if (rule.namespace().isAdministrative()) {
            findings.error(
                    "administrativeDatabase",
                    "collections of admin, config and local cannot be sharded",
                    "remove the rule");
        } else if (rule.namespace().collection().startsWith(SYSTEM_PREFIX)) {
            findings.error(
                    "systemCollection",
                    "collections whose name begins with system. cannot be sharded",
                    "name a time-series collection itself, not that of its buckets; otherwise remove the rule");
        }
    }

    private void uniqueKey() {
        if (rule.unique() && rule.isHashed()) {
            findings.error(
                    "hashedUniqueKey",
                    "the key " + key + " is hashed and unique: the server refuses it (InvalidOptions)",
                    "remove unique, and create a unique index that begins with " + String.join(", ", key.paths()));
        }
    }

    private void indexes() {
        UniqueIndexCheck unique = new UniqueIndexCheck(findings, key);
        for (BsonDocument index : rule.uniqueIndexes()) {
            if (index.isEmpty()) {
                findings.error(
                        "emptyIndex", "uniqueIndexes: an index without a field", "write its fields, like {email: 1}");
            } else if (rule.timeseries() == null) {
                unique.check("", new KeyPattern(index));
            }
        }
    }

    /**
     * Two documents with the same {@code _id} and different keys may lie on two shards, and then neither's chunk can move to
     * the other's shard.
     */
    private void uniqueId() {
        if (!key.paths().equals(List.of(UniqueIndexCheck.ID))) {
            findings.note(
                    "idOnlyWithinShards",
                    "_id is unique within each shard only",
                    "let it be generated, as ObjectIds are, and refer to documents by the key and _id");
        }
    }

    /** The server's errors 5914000, 5914001 and 880031; the time as a key is deprecated from 8.0 on. */
    private void timeseries(TimeseriesRule timeseries) {
        if (rule.unique() || !rule.uniqueIndexes().isEmpty()) {
            findings.error(
                    "timeseriesUnique",
                    "a time-series collection has no unique indexes",
                    "remove unique, uniqueIndexes");
        }
        if (key.paths().contains(timeseries.timeField())) {
            findings.warning(
                    "timeseriesTimeKey",
                    "the timeField " + timeseries.timeField()
                            + " is part of the key, which is deprecated from MongoDB 8.0 on: all inserts"
                            + " go to the chunk with the latest time",
                    "use the metaField alone");
        }
    }
}
