package io.scatterguard.tests.e2e;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.HashedKey;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.ClusterDocuments;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;

/**
 * The sharded collections of Yorkie (github.com/yorkie-team/yorkie) on three shards: clients by project and hashed client,
 * documents by project, and what belongs to a document by its hashed id. Project 1 lies on shard a, 2 on a and b (its
 * documents on b), 3 on b and c (its documents on c).
 */
final class YorkieCluster {
    static final String DATABASE = "yorkie-meta";
    static final ObjectId PROJECT_1 = project(1);
    static final ObjectId PROJECT_2 = project(2);
    static final ObjectId PROJECT_3 = project(3);

    private static final long THIRD = Long.MAX_VALUE / 3;

    private YorkieCluster() {}

    private static ObjectId project(int number) {
        return id(0x65000000 + number, 0);
    }

    static CatalogDocuments catalog() {
        List<BsonDocument> byDocument = List.of(hashed("doc_id", -THIRD), hashed("doc_id", THIRD));
        return ClusterDocuments.of("a", "b", "c")
                .database(DATABASE, "a")
                .sharded(
                        DATABASE + ".clients",
                        "{project_id: 1, _id: 'hashed'}",
                        List.of(client(PROJECT_2, 0), client(PROJECT_3, 0)),
                        "a",
                        "b",
                        "c")
                .sharded(
                        DATABASE + ".documents",
                        "{project_id: 1}",
                        List.of(documents(PROJECT_2), documents(PROJECT_3)),
                        "a",
                        "b",
                        "c")
                .sharded(DATABASE + ".changes", "{doc_id: 'hashed'}", byDocument, "a", "b", "c")
                .sharded(DATABASE + ".snapshots", "{doc_id: 'hashed'}", byDocument, "a", "b", "c")
                .sharded(DATABASE + ".versionvectors", "{doc_id: 'hashed'}", byDocument, "a", "b", "c")
                .build();
    }

    private static BsonDocument client(ObjectId project, long hash) {
        return documents(project).append("_id", new BsonInt64(hash));
    }

    private static BsonDocument documents(ObjectId project) {
        return new BsonDocument("project_id", new BsonObjectId(project));
    }

    private static BsonDocument hashed(String field, long hash) {
        return new BsonDocument(field, new BsonInt64(hash));
    }

    /** The {@code n}th id whose changes, snapshots and version vectors lie on {@code shard}. */
    static ObjectId documentOn(String shard, int n) {
        return ids(shard, hash -> hash < -THIRD ? "a" : hash < THIRD ? "b" : "c", n);
    }

    /** The {@code n}th client id of {@link #PROJECT_2} that lies on {@code shard}, a or b. */
    static ObjectId clientOfProject2On(String shard, int n) {
        return ids(shard, hash -> hash < 0 ? "a" : "b", n);
    }

    private static ObjectId ids(String shard, LongFunction<String> placement, int n) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> id(0x66000000 + i, i))
                .filter(id -> placement.apply(hash(id)).equals(shard))
                .skip(n)
                .findFirst()
                .orElseThrow();
    }

    /** The same in every run. */
    static ObjectId id(int epochSecond, int number) {
        return new ObjectId(String.format("%08x%016x", epochSecond, number));
    }

    private static long hash(ObjectId id) {
        BsonView document = BsonView.encode(new BsonDocument("v", new BsonObjectId(id)));
        BsonValueView value = Objects.requireNonNull(document.get("v"));
        return HashedKey.hash(value);
    }
}
