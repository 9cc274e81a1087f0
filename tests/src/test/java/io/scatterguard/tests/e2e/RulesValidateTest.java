package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexOptions;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** {@code rules validate} as a user runs it: against files, and against a running server. */
@ResourceLock(Resources.SYSTEM_OUT)
class RulesValidateTest {
    private static final String ORDERS = """
            shardingRules:
              - namespace: shop.orders
                key: {customer: 1}
            """;

    private static final String SECRET = "4711-secret";

    @TempDir
    private Path folder;

    private EmbeddedServer server;
    private MongoClient client;
    private MongoDatabase shop;
    private MongoCollection<Document> orders;

    @BeforeEach
    void start() {
        server = EmbeddedServer.start(0);
        client = MongoClients.create(server.connectionString());
        shop = client.getDatabase("shop");
        orders = shop.getCollection("orders");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private CommandLineRun live(String rules, String... options) {
        String[] args = new String[options.length + 5];
        System.arraycopy(new String[] {"rules", "validate", "-", "--uri", server.connectionString()}, 0, args, 0, 5);
        System.arraycopy(options, 0, args, 5, options.length);
        return CommandLineRun.withInput(rules, args);
    }

    private static List<String> findings(CommandLineRun run) {
        return run.out()
                .lines()
                .filter(line -> !line.startsWith("note") && !line.matches("\\d+ rules?: .*"))
                .toList();
    }

    @Test
    void aCollectionThatFitsIsAccepted() {
        orders.createIndex(new Document("customer", 1).append("number", 1), new IndexOptions().unique(true));
        orders.insertOne(new Document("customer", 1).append("number", 1));
        CommandLineRun run = live(ORDERS);
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(findings(run)).isEmpty();
    }

    @Test
    void aUniqueIndexWithoutTheKeyIsNamed() {
        orders.createIndex(new Document("customer", 1));
        orders.createIndex(
                new Document("number", 1), new IndexOptions().unique(true).name("by_number"));
        orders.insertOne(new Document("customer", 1).append("number", SECRET));
        CommandLineRun run = live(ORDERS);
        assertThat(run.code()).isEqualTo(1);
        assertThat(findings(run))
                .singleElement()
                .asString()
                .startsWith("error shop.orders: unique index by_number {number: 1} does not begin with")
                .endsWith("(begin the index with customer, shard by {number: 1}, or make the index not unique)");
        assertThat(run.out() + run.err()).doesNotContain(SECRET);
    }

    @Test
    void aMissingIndexIsAnErrorOnlyWhereThereAreDocuments() {
        shop.createCollection("orders");
        CommandLineRun empty = live(ORDERS);
        assertThat(empty.code()).isZero();
        assertThat(empty.out()).contains("note shop.orders: no index supports the key {customer: 1}");
        orders.insertOne(new Document("customer", 1));
        orders.createIndex(new Document("customer", -1));
        CommandLineRun filled = live(ORDERS);
        assertThat(filled.code()).isEqualTo(1);
        assertThat(findings(filled))
                .singleElement()
                .asString()
                .contains("index customer_-1 {customer: -1} has the fields with another direction or kind")
                .contains("db.getSiblingDB(\"shop\").getCollection(\"orders\").createIndex({customer: 1})");
    }

    @Test
    void arraysAndMissingFieldsAreCountedAndNotShown() {
        orders.createIndex(new Document("customer", 1));
        orders.insertMany(List.of(
                new Document("customer", List.of(SECRET)),
                new Document("other", SECRET),
                new Document("customer", SECRET)));
        CommandLineRun run = live(ORDERS);
        assertThat(run.code()).isEqualTo(1);
        assertThat(findings(run)).hasSize(2);
        assertThat(run.out())
                .contains("error shop.orders: an array in customer in 1 of 3 sampled documents")
                .contains("warning shop.orders: no customer in 1 of 3 sampled documents");
        assertThat(run.out() + run.err()).doesNotContain(SECRET);
        assertThat(live(ORDERS, "--sample", "0").code()).isZero();
    }

    /** A path through an array, and one that ends before its last name. */
    @Test
    void nestedFieldsAreFollowed() {
        String rules = ORDERS.replace("{customer: 1}", "{customer.id: 1, _id: 1}");
        orders.createIndex(new Document("customer.id", 1).append("_id", 1));
        orders.insertMany(List.of(
                new Document("customer", new Document("id", 1)),
                new Document("customer", List.of(new Document("id", 1))),
                new Document("customer", 5)));
        CommandLineRun run = live(rules);
        assertThat(run.out())
                .contains("an array in customer.id in 1 of 3", "no customer.id in 1 of 3")
                .doesNotContain("no _id");
    }

    @Test
    void aCollectionThatIsNotThereIsAWarning() {
        CommandLineRun run = live(ORDERS);
        assertThat(run.code()).isZero();
        assertThat(findings(run)).singleElement().asString().startsWith("warning shop.orders: the database has no");
    }

    @Test
    void aCollectionThatIsShardedOtherwiseIsAWarning() {
        orders.createIndex(new Document("customer", 1));
        client.getDatabase("config")
                .getCollection("collections")
                .insertOne(new Document("_id", "shop.orders").append("key", new Document("number", 1)));
        assertThat(findings(live(ORDERS)))
                .singleElement()
                .asString()
                .startsWith("warning shop.orders: the collection is sharded already, by {number: 1}");
    }

    @Test
    void linesOfJsonForPrograms() {
        orders.insertOne(new Document("customer", 1));
        List<BsonDocument> lines =
                live(ORDERS, "--json").out().lines().map(BsonDocument::parse).toList();
        assertThat(lines.subList(0, lines.size() - 1))
                .allSatisfy(line -> assertThat(line).containsOnlyKeys("severity", "check", "subject", "what", "fix"))
                .anySatisfy(line -> assertThat(line)
                        .containsEntry("severity", new BsonString("error"))
                        .containsEntry("check", new BsonString("supportingIndex"))
                        .containsEntry("subject", new BsonString("shop.orders")));
        assertThat(lines.get(lines.size() - 1)).containsOnlyKeys("rules", "errors", "warnings", "notes");
    }

    @Test
    void theConfigurationNamesTheServer() throws IOException {
        orders.insertOne(new Document("customer", 1));
        Path config = Files.writeString(folder.resolve("scatterguard.yaml"), """
                cluster: test
                listeners:
                  - bind: 127.0.0.1:0
                    upstream: { kind: standalone, hosts: ["127.0.0.1:%d"] }
                """.formatted(server.port()) + ORDERS);
        Path rules = Files.writeString(folder.resolve("rules.yaml"), ORDERS);
        CommandLineRun run = CommandLineRun.of("rules", "validate", rules.toString(), "--config", config.toString());
        assertThat(run.out()).as(run.err()).contains("error shop.orders: no index supports the key");
    }

    /** What Yorkie creates fits the keys of the example; one more unique index does not. */
    @Test
    void aRunningYorkieIsChecked() throws IOException {
        String rules = Files.readString(Repository.root().resolve("docs/examples/yorkie/rules.yaml"));
        MongoDatabase yorkie = client.getDatabase("yorkie-meta");
        for (String name : List.of("changes", "snapshots", "versionvectors")) {
            yorkie.getCollection(name).createIndex(new Document("doc_id", "hashed"));
        }
        IndexOptions unique = new IndexOptions().unique(true);
        yorkie.getCollection("clients").createIndex(Document.parse("{project_id: 1, key: 1}"), unique);
        yorkie.getCollection("documents").createIndex(Document.parse("{project_id: 1, key: 1, removed_at: 1}"), unique);
        yorkie.getCollection("changes")
                .createIndex(Document.parse("{doc_id: 1, project_id: 1, server_seq: 1}"), unique);
        yorkie.getCollection("changes")
                .createIndex(Document.parse("{doc_id: 1, project_id: 1, actor_id: 1, server_seq: 1}"), unique);
        yorkie.getCollection("snapshots")
                .createIndex(Document.parse("{doc_id: 1, project_id: 1, server_seq: 1}"), unique);
        yorkie.getCollection("versionvectors")
                .createIndex(Document.parse("{doc_id: 1, project_id: 1, client_id: 1}"), unique);
        yorkie.getCollection("documents").insertOne(Document.parse("{project_id: 1, key: 'a'}"));
        CommandLineRun run = live(rules);
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(findings(run)).isEmpty();

        yorkie.getCollection("documents").createIndex(Document.parse("{key: 1}"), unique);
        assertThat(findings(live(rules)))
                .singleElement()
                .asString()
                .startsWith("error yorkie-meta.documents: unique index key_1 {key: 1} does not begin with");
    }

    @Test
    void whatCannotBeUsedIsToldFromWhatIsWrong() {
        CommandLineRun wrong = CommandLineRun.withInput("shardingRules: [{namespace: shop}]", "rules", "validate", "-");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("shardingRules[0].namespace");
        assertThat(CommandLineRun.of("rules", "validate", folder.resolve("none").toString())
                        .code())
                .isEqualTo(2);
        CommandLineRun range = live(ORDERS, "--sample", "-1");
        assertThat(range.code()).isEqualTo(2);
        assertThat(range.err()).contains("--sample -1 (expected: 0..100000)");
        CommandLineRun nobody = CommandLineRun.withInput(
                ORDERS, "rules", "validate", "-", "--uri", "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100");
        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.err()).contains("the database cannot be read from mongodb://127.0.0.1:1/");
        CommandLineRun uri = CommandLineRun.withInput(ORDERS, "rules", "validate", "-", "--uri", "nonsense");
        assertThat(uri.code()).isEqualTo(2);
    }
}
