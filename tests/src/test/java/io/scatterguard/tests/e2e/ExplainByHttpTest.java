package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.HttpAnswer;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code POST /api/v1/explain}: what {@code scatterguard explain} says, and what the policy would do. */
@ResourceLock(Resources.SYSTEM_OUT)
class ExplainByHttpTest {
    private static final String PATH = "/api/v1/explain";
    private static final Set<String> BESIDES = Set.of("shape", "listener", "mode", "verdict");
    private static final String BROADCAST = "{find: 'orders', filter: {status: 'open'}, $db: 'shop'}";
    private static final String CONFIG = """
            listeners:
              - { bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } }
              - { bind: "localhost:0", mode: observe, upstream: { hosts: ["UPSTREAM"] } }
            policy:
              mode: enforce
              default: { reads: log, writes: log }
              rules:
                - { name: no-count, match: { commands: [count] }, action: refuse }
                - { name: few, match: { commands: [distinct] }, action: throttle, rate: 1/h }
              exemptions: [{ id: nightly, owner: data-team, match: { commands: [count], appName: nightly } }]
              owners: [{ owner: shop-team, namespace: "shop.*" }]
            audit: { sinks: [], record: all }
            admin: { bind: "127.0.0.1:0", token: a-token-of-the-tests }
            """;

    private static ScriptedMongos mongos;
    private static ProxyUnderTest proxy;
    private static HostAndPort admin;

    @BeforeAll
    static void start() {
        mongos = ScriptedMongos.start();
        proxy = ProxyUnderTest.configured(mongos, CONFIG, RuntimeParts.standard());
        admin = proxy.runtime().adminAddress();
        try (MongoClient driver = proxy.driver()) {
            driver.getDatabase("admin").runCommand(new Document("ping", 1));
        }
    }

    @AfterAll
    static void stop() {
        proxy.close();
        mongos.close();
    }

    private static BsonDocument explained(String command, String query) {
        HttpAnswer answer = HttpAnswer.post(admin, PATH + query, command);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json();
    }

    private static BsonDocument verdict(String command, String query) {
        return explained(command, query).getDocument("verdict");
    }

    private static BsonDocument withoutBounds(BsonDocument explanation) {
        for (BsonValue statement : explanation.getArray("statements")) {
            for (BsonValue lookup : statement.asDocument().getArray("lookups")) {
                for (BsonValue chunk : lookup.asDocument().getArray("chunks")) {
                    assertThat(chunk.asDocument().remove("min")).isNotNull();
                    assertThat(chunk.asDocument().remove("max")).isNotNull();
                }
            }
        }
        return explanation;
    }

    /** The release too is the one that the server behind says. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                BROADCAST,
                "{find: 'orders', filter: {customerId: 100, orderId: 100003}, $db: 'shop'}",
                "{aggregate: 'orders', pipeline: [{$limit: 3}, {$match: {customerId: 5}}], cursor: {}, $db: 'shop'}",
                "{update: 'orders', updates: [{q: {_id: 1}, u: {$set: {a: 1}}}, {q: {customerId: 1}, u: {$set: {a: 1}}}],"
                        + " $db: 'shop'}",
                "{find: 'ordres', $db: 'shop'}",
                "{explain: {find: 'orders', filter: {customerId: {$gt: 100}}}, $db: 'shop'}",
                "{createUser: 'eve', pwd: 'secret', $db: 'admin'}",
                "{ping: 1, $db: 'admin'}"
            })
    void itSaysWhatTheCommandLineSays(String command) {
        CommandLineRun run = CommandLineRun.withInput(command, "explain", "--uri", mongos.uri(), "--json");
        assertThat(run.code()).as(run.err()).isZero();

        BsonDocument answer = explained(command, "");
        assertThat(answer.keySet()).containsAll(BESIDES);
        BESIDES.forEach(answer::remove);
        assertThat(answer).isEqualTo(withoutBounds(BsonDocument.parse(run.out())));
    }

    @Test
    void theDatabaseTheReleaseAndTheListenerMayBeNamed() {
        String command = "{find: 'orders', filter: {}}";
        BsonDocument answer = explained(command, "?db=shop&routerVersion=5.0");
        assertThat(answer.getDocument("route").getString("release").getValue()).isEqualTo("5.0");
        assertThat(answer.getString("listener").getValue()).isEqualTo("127.0.0.1:0");
        BsonDocument other = explained(command, "?db=shop&listener=localhost:0");
        assertThat(other.getString("listener").getValue()).isEqualTo("localhost:0");
        assertThat(other.getString("mode").getValue()).isEqualTo("observe");
    }

    @Test
    void theVerdictIsThatOfTheListenersPolicy() {
        String count = "{count: 'orders', query: {status: 'open'}, $db: 'shop'}";
        assertThat(verdict(BROADCAST, "").getString("action").getValue()).isEqualTo("log");
        BsonDocument refused = verdict(count, "");
        assertThat(refused.getString("action").getValue()).isEqualTo("refuse");
        assertThat(refused.getString("rule").getValue()).isEqualTo("no-count");
        assertThat(refused.getString("owner").getValue()).isEqualTo("shop-team");
        BsonDocument observed = verdict(count, "?listener=localhost:0");
        assertThat(observed.getString("action").getValue()).isEqualTo("log");
        assertThat(observed.getBoolean("wouldRefuse").getValue()).isTrue();
        assertThat(verdict(count, "?appName=nightly").getString("exemption").getValue())
                .isEqualTo("nightly");
        BsonDocument explain = verdict("{explain: " + count.replace(", $db: 'shop'", "") + ", $db: 'shop'}", "");
        assertThat(explain.getDocument("explained").getString("action").getValue())
                .isEqualTo("refuse");
        assertThat(explained(BROADCAST, "")
                        .getDocument("shape")
                        .getString("text")
                        .getValue())
                .isEqualTo("find {filter: {status: ?string}}");
    }

    @Test
    void inBypassNothingIsJudged() {
        String[] bearer = {"Authorization", "Bearer a-token-of-the-tests"};
        String count = "{count: 'orders', query: {status: 'open'}, $db: 'shop'}";
        HttpAnswer.post(admin, "/api/v1/mode", "{\"mode\": \"bypass\", \"listener\": \"localhost:0\"}", bearer);
        try {
            BsonDocument answer = explained(count, "?listener=localhost:0");
            assertThat(answer.getString("mode").getValue()).isEqualTo("bypass");
            assertThat(answer.getDocument("verdict").getString("reason").getValue())
                    .isEqualTo("bypass");
            assertThat(answer.getDocument("route").getString("shape").getValue())
                    .as("where it goes is said all the same")
                    .isEqualTo("scatterGather");
            assertThat(verdict(count, "").getString("action").getValue()).isEqualTo("refuse");
        } finally {
            HttpAnswer.post(admin, "/api/v1/mode", "{\"mode\": \"configured\"}", bearer);
        }
    }

    /** Its whole effect is the answer: no rate is used up, nothing is counted, nothing is recorded or forwarded. */
    @Test
    void itChangesNothing() {
        String distinct = "{distinct: 'orders', key: 'status', $db: 'shop'}";
        String before = commands();
        int forwarded = mongos.requests("distinct").size();
        for (int i = 0; i < 10; i++) {
            assertThat(verdict(distinct, "").getString("action").getValue()).isEqualTo("refuse");
        }
        assertThat(commands()).isEqualTo(before);
        assertThat(mongos.requests("distinct")).hasSize(forwarded);
        assertThat(HttpAnswer.get(admin, "/api/v1/shapes").text()).doesNotContain("\"distinct\"");

        try (RawClient client = proxy.rawClient()) {
            int[] codes = {code(client, distinct), code(client, distinct)};
            assertThat(codes[0]).as("what the rate allows is still there").isNotEqualTo(61_001);
            assertThat(codes[1]).isEqualTo(61_001);
        }
    }

    private static int code(RawClient client, String command) {
        return client.command(BsonDocument.parse(command))
                .getNumber("code", new BsonInt32(0))
                .intValue();
    }

    private static String commands() {
        return HttpAnswer.get(admin, "/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith("scatterguard_commands_total")
                        || line.startsWith("scatterguard_findings_total"))
                .sorted()
                .reduce("", (a, b) -> a + b + "\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                       | '' | the body: no command (expected:
            []                                       | '' | the body, line 1, column 1: unexpected '['
            {find: 'orders', filter: {a 5}}          | '' | the body, line 1, column 30: not Extended JSON
            {find: 'orders'}                         | '' | the command: of no database (expected: "$db" in the command, or ?db=)
            {find: 'orders', $db: 5}                 | '' | $db is a INT32 (expected: a string)
            {}                                       | '' | the command: empty (expected:
            {ping: 1, $db: 'a'} {ping: 1, $db: 'a'}  | '' | the body: 2 documents (expected: one command)
            {ping: 1, $db: 'a'}                      | ?listener=127.0.0.1:1 | listener: there is none (expected:
            {ping: 1, $db: 'a'}                      | ?routerVersion=new | routerVersion: no release (expected: major.minor
            """)
    void whatIsWrongIsNamedWithItsPlace(String command, String query, String message) {
        HttpAnswer answer = HttpAnswer.post(admin, PATH + query, command);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().getString("error").getValue()).contains(message);
    }

    @Test
    void hostileBodiesAreAnswered() throws IOException {
        String deep = "{a: ".repeat(100_000) + "1" + "}".repeat(100_000);
        assertThat(HttpAnswer.post(admin, PATH, deep).status()).isEqualTo(400);
        String fields = "{find: 'orders', $db: 'shop', filter: {customerId: {$in: [" + "1,".repeat(300_000) + "1]}}}";
        assertThat(HttpAnswer.post(admin, PATH, fields).status()).isEqualTo(200);
        String large = "{ping: 1, $db: '" + "x".repeat(1 << 20) + "'}";
        HttpAnswer refused = HttpAnswer.post(admin, PATH, large);
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.json().getString("error").getValue()).contains("(expected: at most 1048576 bytes)");
        assertThat(chunked(large)).startsWith("HTTP/1.1 413 ");
        assertThat(chunked("{ping: 1, $db: 'admin'}")).startsWith("HTTP/1.1 200 ");
        // The neighbour: other endpoints take less.
        String mode = "{\"mode\": \"observe\", \"x\": \"" + "x".repeat(70_000) + "\"}";
        assertThat(HttpAnswer.post(admin, "/api/v1/mode", mode, "Authorization", "Bearer a-token-of-the-tests")
                        .status())
                .isEqualTo(413);
    }

    /** The status line of the answer to a body that does not say how long it is. */
    private static String chunked(String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket(admin.host(), admin.port())) {
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + PATH + " HTTP/1.1\r\nHost: " + admin
                            + "\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                            + Integer.toHexString(bytes.length) + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.write("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(64), StandardCharsets.US_ASCII);
        }
    }
}
