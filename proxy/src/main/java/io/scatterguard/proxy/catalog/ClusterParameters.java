package io.scatterguard.proxy.catalog;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The cluster parameters that decide on routing (targeting semantics, addendum §A.3). One that is not set is off.
 *
 * @param onlyTargetDataOwningShardsForMultiWrites a write of many documents goes to the shards that it concerns and not to
 *     every registered one (8.2 and later)
 * @param pauseMigrationsDuringMultiUpdates a write of many documents is handed to the database's primary (8.0 and later)
 */
public record ClusterParameters(
        boolean onlyTargetDataOwningShardsForMultiWrites, boolean pauseMigrationsDuringMultiUpdates) {
    /** None is set. */
    public static final ClusterParameters DEFAULT = new ClusterParameters(false, false);

    /** What the documents of {@code config.clusterParameters} say: {@code {_id: name, enabled}}. */
    static ClusterParameters of(List<BsonDocument> documents) {
        return new ClusterParameters(
                isEnabled(documents, "onlyTargetDataOwningShardsForMultiWrites"),
                isEnabled(documents, "pauseMigrationsDuringMultiUpdates"));
    }

    private static boolean isEnabled(List<BsonDocument> documents, String name) {
        BsonString id = new BsonString(name);
        return documents.stream()
                .anyMatch(document -> id.equals(document.get("_id")) && ConfigFields.flag(document, "enabled"));
    }
}
