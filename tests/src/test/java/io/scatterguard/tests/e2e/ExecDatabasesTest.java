package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.ExecProcess;
import io.scatterguard.tests.support.ExecRun;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.ScriptedReplicaSet;
import io.scatterguard.tests.support.ScriptedUser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec --upstream}: whatever the database is, the command sees one address and no secret is shown. */
class ExecDatabasesTest {
    private static final int FINDINGS = 61;
    private static final String BROADCAST = "'{find: \"orders\", filter: {status: \"open\"}}'";
    private static final String INSERT = "'{insert: \"orders\", documents: [{customerId: 7, orderId: 1}]}'";
    private static final String PASSWORD = "s3same-Öpen";
    private static final String ENCODED = "s3same-%C3%96pen";

    @TempDir
    private Path folder;

    private ExecProcess.Setup exec(String upstream) {
        return ExecProcess.in(folder).options("--upstream", upstream, "--report", "json");
    }

    private Path rules() throws IOException {
        return Files.writeString(folder.resolve("rules.yaml"), """
                shardingRules: [{namespace: shop.orders, key: {customerId: 1, orderId: 1}, shards: 3}]
                """);
    }

    private static BsonDocument only(ExecRun run) {
        BsonArray findings = run.report().getArray("findings");
        assertThat(findings).as(run.output()).hasSize(1);
        return findings.get(0).asDocument();
    }

    @Test
    void aMongosTellsItsKeysItself() {
        try (ScriptedMongos mongos = ScriptedMongos.start()) {
            mongos.withCatalog(CatalogDocuments.shop()).withData();
            ExecRun run = exec(mongos.uri() + "/shop").sh("echo $MONGODB_URI; \"$CLIENT\" " + BROADCAST);
            assertThat(run.code()).as(run.output()).isEqualTo(FINDINGS);
            assertThat(run.out()).matches("mongodb://127\\.0\\.0\\.1:\\d+/shop\nok\n");
            BsonDocument finding = only(run);
            assertThat(finding.getString("namespace").getValue()).isEqualTo("shop.orders");
            assertThat(finding.getString("shardKey").getValue()).isEqualTo("{customerId: 1, orderId: 1}");
            BsonDocument shards = finding.getDocument("shards");
            assertThat(shards.getNumber("count").intValue()).isEqualTo(3);
            assertThat(shards.getBoolean("exact").getValue()).isTrue();
            assertThat(run.err()).doesNotContain("no rule");
        }
    }

    /** What its metadata say cannot be read: that nothing is known of it must not look like a clean run. */
    @Test
    void aClusterWhoseMetadataCannotBeReadIsAFinding() {
        try (ScriptedMongos mongos = ScriptedMongos.start()) {
            mongos.withCatalog(CatalogDocuments.shop()).withData();
            mongos.metadata(reply ->
                    Reply.json("{ok: 0.0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized on config'}"));
            ExecRun run = exec(mongos.uri()).sh("\"$CLIENT\" " + BROADCAST);
            assertThat(run.code()).as(run.output()).isEqualTo(FINDINGS);
            assertThat(only(run).getString("kind").getValue()).isEqualTo("unknown namespace");
            ExecRun allowed =
                    exec(mongos.uri()).options("--on-unknown", "allow").sh("\"$CLIENT\" " + BROADCAST);
            assertThat(allowed.code()).as(allowed.output()).isZero();
        }
    }

    @Test
    void aStandaloneIsJudgedByTheRulesAndKeepsWhatWasWritten() throws IOException {
        try (EmbeddedServer server = EmbeddedServer.start(0)) {
            ExecRun run = exec(server.connectionString())
                    .options("--rules", rules(), "--fail-on", "none")
                    .sh("\"$CLIENT\" " + INSERT + " " + BROADCAST);
            assertThat(run.code()).as(run.output()).isZero();
            assertThat(only(run).getDocument("shards").getNumber("total").intValue())
                    .isEqualTo(3);
            try (MongoClient client = MongoClients.create(server.connectionString())) {
                assertThat(client.getDatabase("shop").getCollection("orders").countDocuments())
                        .isEqualTo(1);
            }
        }
    }

    /** The command must not learn of the set: a driver that did would go past the proxy. */
    @Test
    void aReplicaSetIsOneAddressToo() throws IOException {
        try (ScriptedReplicaSet set = ScriptedReplicaSet.start(3)) {
            String members = set.member(0).address() + "," + set.member(1).address() + ","
                    + set.member(2).address();
            ExecRun run = exec("mongodb://" + members + "/shop?replicaSet=rs0&w=majority")
                    .options("--rules", rules())
                    .sh("echo $MONGODB_URI; \"$CLIENT\" " + INSERT + " " + BROADCAST);
            assertThat(run.code()).as(run.output()).isEqualTo(FINDINGS);
            assertThat(run.out()).matches("mongodb://127\\.0\\.0\\.1:\\d+/shop\\?w=majority\nok\nok\n");
            assertThat(only(run).getString("namespace").getValue()).isEqualTo("shop.orders");
            assertThat(set.documents("shop.orders")).hasSize(1);
        }
    }

    /** As Testcontainers and Docker Compose start one: its members' names cannot be resolved from here. */
    @Test
    void aReplicaSetOfOneIsReachedByTheNameThatWasGiven() throws IOException {
        try (ScriptedReplicaSet set = ScriptedReplicaSet.startInContainer()) {
            String member = set.member(0).address();
            for (String options : List.of("", "?directConnection=true")) {
                ExecRun run = exec("mongodb://" + member + "/shop" + options)
                        .options("--rules", rules())
                        .sh("\"$CLIENT\" " + BROADCAST);
                assertThat(run.code()).as(run.output()).isEqualTo(FINDINGS);
                assertThat(only(run).getString("namespace").getValue()).isEqualTo("shop.orders");
            }
        }
    }

    @Test
    void aPasswordIsInTheEnvironmentOfTheCommandAndNowhereElse() {
        try (ScriptedMongos mongos = ScriptedMongos.start()) {
            mongos.withCatalog(CatalogDocuments.shop()).withData();
            mongos.withUsers(ScriptedUser.of("app", PASSWORD));
            String upstream = "mongodb://app:${DB_PASSWORD}@" + mongos.address() + "/shop?authSource=admin";
            ExecRun run = exec(upstream)
                    .variable("DB_PASSWORD", ENCODED)
                    .sh("\"$CLIENT\" " + BROADCAST + "; case $MONGODB_URI in *" + ENCODED
                            + "@127.0.0.1*) echo in;; esac;"
                            + " unset MONGODB_URI; cat /proc/$PPID/cmdline /proc/$$/cmdline | tr '\\0' ' '");
            assertThat(run.code()).as(run.output()).isEqualTo(FINDINGS);
            assertThat(run.out())
                    .startsWith("ok\nin\n")
                    .contains("--upstream " + upstream)
                    .doesNotContain("app:s3same");
            assertThat(run.err()).doesNotContain("s3same");

            ExecRun shown = exec(upstream).variable("DB_PASSWORD", ENCODED).run("touch", "started", "{uri}");
            assertThat(shown.code()).as(shown.output()).isEqualTo(2);
            assertThat(shown.err()).contains("{uri}").contains("MONGODB_URI").doesNotContain("s3same");
            assertThat(folder.resolve("started")).doesNotExist();

            ExecRun literal = exec("mongodb://app:" + ENCODED + "@" + mongos.address() + "/")
                    .run("touch", "started");
            assertThat(literal.code()).as(literal.output()).isEqualTo(2);
            assertThat(literal.err())
                    .contains("upstream: a password on the command line")
                    .doesNotContain("s3same");

            ExecRun unset = exec("mongodb://app:${NO_SUCH_VARIABLE}@" + mongos.address() + "/")
                    .run("touch", "started");
            assertThat(unset.code()).as(unset.output()).isEqualTo(2);
            assertThat(unset.err()).contains("${NO_SUCH_VARIABLE}");
        }
    }

    @Test
    void aWrongPasswordOrAServerThatIsGoneEndsItBeforeTheCommand() throws IOException {
        try (ScriptedMongos mongos = ScriptedMongos.start()) {
            mongos.withUsers(ScriptedUser.of("app", PASSWORD));
            ExecRun wrong = exec("mongodb://app:${DB_PASSWORD}@" + mongos.address() + "/")
                    .variable("DB_PASSWORD", "wr0ng")
                    .run("touch", "started");
            assertThat(wrong.code()).as(wrong.output()).isEqualTo(1);
            assertThat(wrong.err())
                    .contains("upstream: mongodb://***@" + mongos.address())
                    .doesNotContain("wr0ng");
        }
        int gone;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gone = socket.getLocalPort();
        }
        ExecRun run = exec("mongodb://127.0.0.1:" + gone + "/").run("touch", "started");
        assertThat(run.code()).as(run.output()).isEqualTo(1);
        assertThat(run.err().lines().toList())
                .as("one line, without a stack trace")
                .hasSize(1)
                .first()
                .asString()
                .contains("upstream: mongodb://127.0.0.1:" + gone + "/ cannot be asked what it is: Timed out");
        assertThat(folder.resolve("started")).doesNotExist();
    }

    @Test
    void whatIsNoConnectionStringIsSaidSo() {
        for (String wrong : List.of("mongodb://", "http://a/", "mongodb://a/?replicaSet", "mongodb://a:99999/")) {
            ExecRun run = exec(wrong).run("touch", "started");
            assertThat(run.code()).as(wrong + run.output()).isEqualTo(2);
            assertThat(run.err()).as(wrong).contains("upstream: ");
        }
        assertThat(folder.resolve("started")).doesNotExist();
    }
}
