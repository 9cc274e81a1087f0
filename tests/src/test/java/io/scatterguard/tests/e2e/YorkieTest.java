package io.scatterguard.tests.e2e;

import static com.mongodb.client.model.Aggregates.group;
import static com.mongodb.client.model.Aggregates.match;
import static com.mongodb.client.model.Aggregates.unwind;
import static io.scatterguard.tests.e2e.YorkieCluster.PROJECT_1;
import static io.scatterguard.tests.e2e.YorkieCluster.PROJECT_2;
import static io.scatterguard.tests.e2e.YorkieCluster.PROJECT_3;
import static io.scatterguard.tests.e2e.YorkieCluster.clientOfProject2On;
import static io.scatterguard.tests.e2e.YorkieCluster.documentOn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.ProxyUnderTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The workload of Yorkie, a document store for collaborative editors, by the Java driver through the proxy in enforce mode:
 * the query shapes of its server ({@code server/backend/database/mongo/client.go}), and where each goes.
 */
class YorkieTest {
    private static final ObjectId ZERO = YorkieCluster.id(0, 0);
    private static final Date HOUR_AGO = Date.from(Instant.parse("2026-05-01T11:00:00Z"));
    private static final Document NOT_REMOVED = new Document("$exists", false);

    private static EmbeddedServer server;
    private static AuditRecords records;
    private static ProxyUnderTest proxy;
    private static MongoClient client;
    private static MongoDatabase yorkie;

    @BeforeAll
    static void start() {
        server = EmbeddedServer.start(0);
        records = new AuditRecords();
        RuntimeParts parts = RuntimeParts.standard().withSink(records);
        proxy = ProxyUnderTest.inFrontOf(server, YorkieCluster.catalog(), YorkieCluster.DATABASE, parts);
        client = proxy.driver();
        yorkie = client.getDatabase(YorkieCluster.DATABASE);
    }

    @AfterAll
    static void stop() {
        client.close();
        proxy.close();
        server.close();
    }

    private static MongoCollection<Document> collection(String name) {
        return yorkie.getCollection(name);
    }

    /** What the record of the next command says. */
    private static void assertAllowed(String command, String shape, String... shards) {
        BsonDocument record = records.next();
        BsonDocument route = record.getDocument("route");
        assertThat(record.getString("command").getValue()).isEqualTo(command);
        assertThat(names(route)).containsExactlyInAnyOrder(shards);
        assertThat(route.getString("shape").getValue()).isEqualTo(shape);
        assertThat(route.getString("certainty").getValue()).isEqualTo("exact");
        assertThat(action(record)).isEqualTo("allow");
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(61_001));
        BsonDocument record = records.next();
        BsonDocument route = record.getDocument("route");
        assertThat(names(route)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(route.getString("shape").getValue()).isEqualTo("scatterGather");
        assertThat(action(record)).isEqualTo("refuse");
    }

    private static List<String> names(BsonDocument route) {
        return route.getArray("shards").stream()
                .map(BsonValue::asString)
                .map(name -> name.getValue())
                .toList();
    }

    private static String action(BsonDocument record) {
        return record.getDocument("verdict").getString("action").getValue();
    }

    @Test
    void aProjectsInactiveClientsAreFoundOnTheShardsOfTheProject() {
        Document inactive = new Document("project_id", PROJECT_2)
                .append("status", "activated")
                .append("updated_at", new Document("$lte", HOUR_AGO));
        collection("clients").find(inactive).limit(10).first();
        assertAllowed("find", "multiShard", "a", "b");

        collection("clients")
                .find(new Document(inactive).append("project_id", PROJECT_1))
                .first();
        assertAllowed("find", "multiShard", "a");
    }

    @Test
    void aClientIsFoundAndChangedOnItsShard() {
        for (String shard : List.of("a", "b")) {
            ObjectId id = clientOfProject2On(shard, 0);
            Document key = new Document("project_id", PROJECT_2).append("_id", id);
            collection("clients").insertOne(new Document(key).append("status", "activated"));
            assertAllowed("insert", "singleShard", shard);
            assertThat(collection("clients").find(key).first()).isNotNull();
            assertAllowed("find", "singleShard", shard);
            Document attached = new Document("documents.6650.status", new Document("$ne", "attached"));
            attached.putAll(key);
            Document attaching = new Document("$set", new Document("documents.6650.status", "attaching"))
                    .append("$addToSet", new Document("attaching_docs", id));
            assertThat(collection("clients").findOneAndUpdate(attached, attaching))
                    .isNotNull();
            assertAllowed("findAndModify", "singleShard", shard);
        }
    }

    @Test
    void documentsArePagedByIdWithinAProject() {
        for (int n = 0; n < 3; n++) {
            collection("documents")
                    .insertOne(
                            new Document("_id", YorkieCluster.id(0x67000000 + n, n)).append("project_id", PROJECT_3));
            assertAllowed("insert", "singleShard", "c");
        }
        Document page = new Document("project_id", PROJECT_3)
                .append("_id", new Document("$lt", YorkieCluster.id(0x67000002, 2)))
                .append("removed_at", NOT_REMOVED);
        assertThat(collection("documents")
                        .find(page)
                        .sort(Sorts.descending("_id"))
                        .limit(2)
                        .into(new ArrayList<>()))
                .hasSize(2);
        assertAllowed("find", "singleShard", "c");
    }

    @Test
    void aDocumentIsFoundOrCreatedByProjectAndKey() {
        Document byKey =
                new Document("project_id", PROJECT_1).append("key", "notes").append("removed_at", NOT_REMOVED);
        Document update = new Document("$set", new Document("accessed_at", HOUR_AGO))
                .append("$setOnInsert", new Document("server_seq", 0));
        collection("documents").findOneAndUpdate(byKey, update, new FindOneAndUpdateOptions().upsert(true));
        assertAllowed("findAndModify", "singleShard", "a");
        assertThat(collection("documents").countDocuments(new Document("project_id", PROJECT_1)))
                .isEqualTo(1);
        assertAllowed("aggregate", "singleShard", "a");
    }

    @Test
    void changesOfADocumentBetweenTwoSequencesComeFromItsShard() {
        for (String shard : List.of("a", "b", "c")) {
            Document range = new Document("project_id", PROJECT_2)
                    .append("doc_id", documentOn(shard, 0))
                    .append("server_seq", new Document("$gte", 1).append("$lte", 500));
            collection("changes")
                    .find(range)
                    .sort(Sorts.ascending("server_seq"))
                    .limit(1_000)
                    .first();
            assertAllowed("find", "singleShard", shard);
        }
    }

    @Test
    void theLatestSnapshotAndTheVersionVectorsOfADocumentComeFromItsShard() {
        Document document = new Document("project_id", PROJECT_2).append("doc_id", documentOn("b", 1));
        Document latest = new Document(document).append("server_seq", new Document("$lte", 900));
        collection("snapshots")
                .find(latest)
                .sort(Sorts.descending("server_seq"))
                .first();
        assertAllowed("find", "singleShard", "b");
        collection("versionvectors").find(document).into(new ArrayList<>());
        assertAllowed("find", "singleShard", "b");
    }

    @Test
    void anUnorderedBulkOfUpsertsGoesToTheShardsOfItsDocuments() {
        BulkWriteOptions unordered = new BulkWriteOptions().ordered(false);
        ObjectId one = documentOn("c", 1);
        List<WriteModel<Document>> ofOne =
                Stream.of(1, 2, 3).map(seq -> change(one, seq)).toList();
        assertThat(collection("changes").bulkWrite(ofOne, unordered).getUpserts())
                .hasSize(3);
        assertAllowed("update", "singleShard", "c");

        List<WriteModel<Document>> ofTwo = List.of(change(documentOn("a", 1), 1), change(documentOn("b", 1), 1));
        collection("changes").bulkWrite(ofTwo, unordered);
        assertAllowed("update", "singleShard", "a", "b");
    }

    private static WriteModel<Document> change(ObjectId document, int sequence) {
        Document filter =
                new Document("project_id", PROJECT_2).append("doc_id", document).append("server_seq", sequence);
        return new UpdateOneModel<>(
                filter, new Document("$set", new Document("lamport", 7L)), new UpdateOptions().upsert(true));
    }

    @Test
    void whatBelongsToADocumentIsDeletedOnItsShard() {
        Document document = new Document("project_id", PROJECT_2).append("doc_id", documentOn("a", 2));
        for (String name : List.of("changes", "snapshots", "versionvectors")) {
            collection(name).deleteMany(document);
            assertAllowed("delete", "singleShard", "a");
        }
    }

    @Test
    void attachedClientsAreCountedOnTheShardsOfTheProject() {
        Document attached = new Document("attached_docs", new Document("$in", List.of(documentOn("a", 0))));
        Document ofProject = new Document("project_id", PROJECT_3).append("status", "activated");
        ofProject.putAll(attached);
        collection("clients")
                .aggregate(List.of(
                        match(ofProject),
                        unwind("$attached_docs"),
                        match(attached),
                        group("$attached_docs", Accumulators.sum("count", 1))))
                .into(new ArrayList<>());
        assertAllowed("aggregate", "multiShard", "b", "c");
    }

    @Test
    void aLookUpByIdAloneIsRefused() {
        for (String name : List.of("clients", "documents", "changes")) {
            assertRefused(() -> collection(name).find(new Document("_id", ZERO)).first());
        }
    }

    @Test
    void theScansOfHousekeepingAreRefused() {
        Document active = new Document("_id", new Document("$gt", ZERO)).append("status", "activated");
        assertRefused(() ->
                collection("clients").find(active).sort(Sorts.ascending("_id")).first());

        Document after = new Document("server_seq", 100).append("_id", new Document("$gt", ZERO));
        Document candidates = new Document("server_seq", new Document("$gte", 100))
                .append("$or", List.of(new Document("server_seq", new Document("$gt", 100)), after));
        assertRefused(() -> collection("documents").find(candidates).limit(500).first());
    }

    @Test
    void projectsAreNotSharded() {
        collection("projects").find(new Document("owner", ZERO)).first();
        BsonDocument record = records.next();
        assertThat(names(record.getDocument("route"))).containsExactly("a");
        assertThat(record.getDocument("route").getString("placement").getValue())
                .isEqualTo("unsharded");
        assertThat(action(record)).isEqualTo("allow");
    }
}
