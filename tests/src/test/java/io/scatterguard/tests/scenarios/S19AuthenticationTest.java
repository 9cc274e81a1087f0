package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.netty.pkitesting.X509Bundle;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientRun;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.Deployment.Tls;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.OpQueryBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.ScriptedUser;
import io.scatterguard.tests.support.TestPki;
import io.scatterguard.tests.support.TlsTunnel;
import io.scatterguard.tests.support.WireFrame;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S19 (teleport #66008): SCRAM, speculative or not, with right and wrong and without credentials, passes unchanged, and so
 * does {@code saslSupportedMechs}; nothing is refused to somebody who has yet to authenticate.
 */
@ExtendWith(BlockHoundExtension.class)
class S19AuthenticationTest {
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["%s"] }
                %s
            server: { auth: required%s }
            catalog: { refresh: 1s, uri: "%s" }
            policy:
              mode: enforce
              rules:
                - { name: no-broadcast, match: { namespace: "shop.*" }, action: refuse }
            audit: { sinks: [], record: routed }
            """;

    private final AuditRecords records = new AuditRecords();
    private final ScriptedMongos catalog = ScriptedMongos.start();
    private final ScriptedMongos mongos = ScriptedMongos.start()
            .withData()
            .withTopologyVersion()
            .withUsers(
                    ScriptedUser.of("app", "secret"),
                    ScriptedUser.of("old", "secret").with("SCRAM-SHA-1"));

    @TempDir
    private Path folder;

    private Optional<TlsTunnel> tunnel = Optional.empty();
    private SSLContext context;
    private String tlsOptions = "";
    private ProxyUnderTest proxy;

    @BeforeEach
    void start() {
        start(mongos.address(), "", "");
    }

    private void start(String upstream, String listenerTls, String serverTls) {
        String yaml = CONFIG.formatted(upstream, listenerTls, serverTls, catalog.uri());
        proxy = ProxyUnderTest.of(yaml, catalog, RuntimeParts.standard().withSink(records));
    }

    /** Starts again, with TLS on both sides if {@code tls} is on. */
    private void restart(Tls tls) {
        if (tls == Tls.OFF) {
            return;
        }
        proxy.close();
        TestPki pki = new TestPki(folder, "authentication");
        X509Bundle server = pki.server();
        tunnel = Optional.of(TlsTunnel.to(mongos.port(), pki.context(server)));
        context = pki.context(null);
        tlsOptions = "&tls=true&tlsCAFile=" + pki.caFile();
        start(
                "localhost:" + tunnel.get().port(),
                "tls: { certificate: " + pki.combinedFile("server.pem", server) + " }",
                ", tls: { ca: " + pki.caFile() + " }");
    }

    @AfterEach
    void stop() {
        proxy.close();
        tunnel.ifPresent(TlsTunnel::close);
        mongos.close();
        catalog.close();
    }

    /** {@code credentials} as {@code user:password@}, or empty; {@code options} of the connection string. */
    private String uri(String credentials, String options) {
        return "mongodb://" + credentials + "127.0.0.1:"
                + proxy.runtime().address().getPort() + "/?authSource=admin" + options + tlsOptions;
    }

    private MongoClient driver(String credentials, String options) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri(credentials, options)))
                .applyToSslSettings(ssl -> ssl.enabled(context != null).context(context))
                .build());
    }

    @ParameterizedTest
    @CsvSource({
        "app, '', OFF",
        "app, '', ON",
        "app, &authMechanism=SCRAM-SHA-1, OFF",
        "app, &authMechanism=SCRAM-SHA-1, ON",
        "app, &authMechanism=SCRAM-SHA-256, OFF",
        "app, &authMechanism=SCRAM-SHA-256, ON",
        "old, '', OFF",
        "old, '', ON"
    })
    void theJavaDriverProvesItsPasswordAndIsKnownByName(String user, String mechanism, Tls tls) {
        restart(tls);
        try (MongoClient client = driver(user + ":secret@", mechanism + "&maxPoolSize=1")) {
            Document filter = new Document("customerId", 7).append("orderId", 1);
            assertThat(client.getDatabase("shop")
                            .getCollection("orders")
                            .find(filter)
                            .first())
                    .isNull();
            assertThat(records.next().getString("user").getValue()).isEqualTo(user);
            assertThatThrownBy(() -> client.getDatabase("shop")
                            .getCollection("orders")
                            .find(new Document("status", "x"))
                            .first())
                    .as("after it has authenticated")
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(61_001));
        }
        boolean speculated =
                mongos.requests().stream().anyMatch(frame -> frame.command().containsKey("speculativeAuthenticate"));
        assertThat(speculated).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"'', OFF", "'', ON", "&authMechanism=SCRAM-SHA-1, OFF", "&authMechanism=SCRAM-SHA-256, OFF"})
    void aWrongPasswordIsTheServersError(String mechanism, Tls tls) {
        restart(tls);
        try (MongoClient client = driver("app:wrong@", mechanism)) {
            assertThatThrownBy(() -> client.getDatabase("shop").runCommand(new Document("ping", 1)))
                    .isInstanceOf(MongoSecurityException.class)
                    .hasRootCauseInstanceOf(MongoCommandException.class)
                    .rootCause()
                    .satisfies(e -> assertThat(((MongoCommandException) e).getErrorCode())
                            .isEqualTo(18));
        }
        assertThat(mongos.requests("ping")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "NODE_DRIVER, app, ON",
        "NODE_DRIVER, old, OFF",
        "PYMONGO, app, ON",
        "PYMONGO, old, OFF",
        "MONGOSH, app, ON",
        "MONGOSH, old, OFF"
    })
    void aClientWithItsPasswordReadsWritesAndIsRefused(ClientTool tool, String user, Tls tls) {
        tool.assumeAvailable();
        restart(tls);
        BsonDocument result =
                ClientProcess.of(tool, uri(user + ":secret@", "")).run().result();
        assertThat(result.getDocument("refusal").getNumber("code").intValue()).isEqualTo(61_001);
        assertThat(mongos.requests("insert")).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientWithAWrongPasswordSeesTheServersError(ClientTool tool) {
        tool.assumeAvailable();
        ClientRun run = ClientProcess.of(tool, uri("app:wrong@", "")).run();
        assertThat(run.exitCode()).isNotZero();
        assertThat(run.stdout() + run.stderr())
                .containsIgnoringCase("authentication failed")
                .doesNotContain("61001");
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientWithoutCredentialsConnectsAndSeesTheServersError(ClientTool tool) {
        tool.assumeAvailable();
        ClientRun run = ClientProcess.of(tool, uri("", "")).run();
        assertThat(run.exitCode()).isNotZero();
        assertThat(run.stdout() + run.stderr())
                .contains("requires authentication")
                .doesNotContain("61001");
    }

    @Test
    void aBroadcastBeforeAuthenticationIsTheServersToAnswer() {
        try (RawClient client = proxy.rawClient()) {
            BsonDocument reply =
                    client.command(BsonDocument.parse("{find: 'orders', filter: {status: 'x'}, $db: 'shop'}"));
            assertThat(reply.getNumber("code").intValue()).isEqualTo(13);
        }
    }

    /** As mongosh and Compass greet, by either opcode: every byte reaches the server, every field of the answer the client. */
    @ParameterizedTest
    @CsvSource({"SCRAM-SHA-1, true", "SCRAM-SHA-1, false", "SCRAM-SHA-256, true", "SCRAM-SHA-256, false"})
    void aSpeculativeGreetingPassesUnchanged(String mechanism, boolean legacy) {
        BsonDocument greeting = BsonDocument.parse("{hello: 1, helloOk: true, saslSupportedMechs: 'admin.app'}")
                .append(
                        "speculativeAuthenticate",
                        new BsonDocument(
                                        "saslStart",
                                        BsonDocument.parse("{a: 1}").get("a"))
                                .append("mechanism", new BsonString(mechanism))
                                .append("payload", new BsonBinary("n,,n=app,r=abcdef".getBytes(StandardCharsets.UTF_8)))
                                .append("options", BsonDocument.parse("{skipEmptyExchange: true}"))
                                .append("db", new BsonString("admin")));
        try (RawClient client = proxy.rawClient()) {
            WireFrame reply;
            byte[] sent;
            if (legacy) {
                OpQueryBuilder query = client.query(greeting);
                client.send(query);
                sent = query.encode();
            } else {
                OpMsgBuilder msg = client.msg(greeting.append("$db", new BsonString("admin")));
                client.send(msg);
                sent = msg.encode();
            }
            reply = client.receive();
            assertThat(mongos.requests("hello")).extracting(WireFrame::bytes).contains(sent);
            assertThat(reply.body().getArray("saslSupportedMechs"))
                    .containsExactly(new BsonString("SCRAM-SHA-1"), new BsonString("SCRAM-SHA-256"));
            BsonDocument step = reply.body().getDocument("speculativeAuthenticate");
            assertThat(step.getBoolean("done").getValue()).isFalse();
            assertThat(new String(step.getBinary("payload").getData(), StandardCharsets.UTF_8))
                    .startsWith("r=abcdef");
        }
    }

    @Test
    void aSpeculationThatTheServerDoesNotTakeUpIsLeftOut() {
        BsonDocument greeting =
                BsonDocument.parse("{hello: 1, saslSupportedMechs: 'admin.nobody', speculativeAuthenticate:"
                        + " {saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: {$binary: {base64: 'biwsbj1ub2JvZHkscj14', subType: '0'}},"
                        + " db: 'admin'}, $db: 'admin'}");
        try (RawClient client = proxy.rawClient()) {
            BsonDocument reply = client.command(greeting);
            assertThat(reply)
                    .doesNotContainKeys("saslSupportedMechs", "speculativeAuthenticate")
                    .containsEntry("msg", new BsonString("isdbgrid"));
        }
    }

    /** What is not SCRAM passes as well: the steps of a conversation that only the two ends understand. */
    @ParameterizedTest
    @ValueSource(strings = {"MONGODB-AWS", "MONGODB-OIDC", "GSSAPI"})
    void aConversationOfAnyMechanismPasses(String mechanism) {
        try (RawClient client = proxy.rawClient()) {
            BsonDocument start = BsonDocument.parse(
                            "{saslStart: 1, payload: {$binary: {base64: 'AAEC', subType: '0'}}}")
                    .append("mechanism", new BsonString(mechanism))
                    .append("$db", new BsonString("$external"));
            assertThat(client.command(start).getBoolean("done").getValue()).isFalse();
            BsonDocument next = BsonDocument.parse(
                    "{saslContinue: 1, conversationId: 1, payload: {$binary: {base64: 'AAEC', subType: '0'}}, $db: '$external'}");
            assertThat(client.command(next).getBoolean("done").getValue()).isTrue();
            client.command(BsonDocument.parse("{find: 'orders', filter: {customerId: 7, orderId: 1}, $db: 'shop'}"));
            assertThat(records.next().get("user")).as("the name is not known").isIn(null, BsonNull.VALUE);
        }
    }

    @Test
    void aCertificateCannotPassAndTheServerSaysSo() {
        try (RawClient client = proxy.rawClient()) {
            BsonDocument reply = client.command(
                    BsonDocument.parse("{authenticate: 1, mechanism: 'MONGODB-X509', $db: '$external'}"));
            assertThat(reply.getNumber("code").intValue()).isEqualTo(18);
        }
    }
}
