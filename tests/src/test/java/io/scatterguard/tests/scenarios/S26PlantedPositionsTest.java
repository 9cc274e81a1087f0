package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.AuditLines;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CapturedLog;
import io.scatterguard.tests.support.HttpAnswer;
import io.scatterguard.tests.support.OtlpCollector;
import io.scatterguard.tests.support.PlantedCommands;
import io.scatterguard.tests.support.PlantedSecrets;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * S20 and S26, by position: commands of every family pass a real proxy with a secret of its own in each place where a value
 * may stand, in front of a server that quotes them all in its errors and replies; none may be seen in anything that the
 * proxy writes or says itself. What is shown is named by the position it was planted in.
 */
@ExtendWith(BlockHoundExtension.class)
class S26PlantedPositionsTest {
    private static final List<String> HTTP = List.of(
            "/metrics",
            "/readyz",
            "/api/v1/status",
            "/api/v1/collections",
            "/api/v1/policy",
            "/api/v1/exemptions",
            "/api/v1/findings?limit=1000",
            "/api/v1/shapes?limit=1000");

    private static final int COMMANDS_A_CONNECTION = 20;
    private static final int FAMILIES_BETWEEN_BROKEN = 4;
    private static final String TRACE_PARENT = "traceparent=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final PlantedSecrets secrets = new PlantedSecrets();
    private final List<String> refusals = new ArrayList<>();
    private int unsent;
    private long seen;
    private int spans;

    @ParameterizedTest(name = "{0}, record: {1}, findings: {2}, auth: {3}, upstream: {4}")
    @CsvSource({
        "observe, all, every, auto, mongos",
        "enforce, all, every, auto, mongos",
        "enforce, routed, every, auto, mongos",
        "enforce, all, every, required, mongos",
        "observe, findings, sampled, auto, mongos",
        "enforce, findings, every, auto, mongos",
        "enforce, all, every, auto, standalone",
        "bypass, all, every, auto, mongos",
    })
    void noSecretIsShown(String mode, String record, String findings, String auth, String upstream) {
        AuditLines audit = new AuditLines();
        Map<String, List<String>> outputs = new LinkedHashMap<>();
        try (CapturedLog log = CapturedLog.open();
                OtlpCollector collector = OtlpCollector.start()) {
            ScriptedMongos mongos = mongos();
            if (upstream.equals("standalone")) {
                mongos.asStandalone();
            }
            String yaml = config(mode, record, findings, auth, upstream) + exports(collector);
            try (ProxyUnderTest proxy = ProxyUnderTest.configured(
                    mongos, yaml, RuntimeParts.standard().withSink(audit))) {
                send(proxy);
                outputs.putAll(spoken(proxy));
                seen = positionsSeenBy(mongos);
            } finally {
                mongos.stop(); // and not close(), which would fail because of the broken messages
            }
            outputs.put("the log", log.lines());
            outputs.put("what a collector gets", collector.bodies());
            spans = collector.spans().size();
        }
        outputs.put("the audit log", audit.lines());
        outputs.put("refusals", refusals);

        outputs.forEach((name, lines) -> assertThat(lines.stream().flatMap(line -> secrets.shownBy(line).stream()))
                .as(name)
                .isEmpty());
        boolean judged = auth.equals("auto") && !mode.equals("bypass");
        assertNotEmpty(mode, record, judged, outputs);
    }

    /** In how many positions the server found a text that is a secret: what is looked for can be found. */
    private long positionsSeenBy(ScriptedMongos mongos) {
        return mongos.requests().stream()
                .map(request -> new String(request.bytes(), StandardCharsets.ISO_8859_1))
                .flatMap(bytes -> secrets.shownBy(bytes).stream())
                .distinct()
                .count();
    }

    /**
     * What the proxy answers when it is asked about itself, by a name for each. Whatever is added to the product that speaks
     * of commands (metrics, an API, a console) is added here.
     */
    private static Map<String, List<String>> spoken(ProxyUnderTest proxy) {
        Map<String, List<String>> spoken = new LinkedHashMap<>();
        try (RawClient client = proxy.rawClient()) {
            spoken.put(
                    "the status command",
                    List.of(client.adminCommand("scatterguard").toJson()));
        }
        for (String path : HTTP) {
            HttpAnswer answer = HttpAnswer.get(proxy.runtime().adminAddress(), path);
            assertThat(answer.text()).as(path).isNotEmpty();
            spoken.put(path, answer.text().lines().toList());
        }
        return spoken;
    }

    /** The neighbour: the outputs are not just empty. */
    private void assertNotEmpty(String mode, String record, boolean judged, Map<String, List<String>> outputs) {
        assertThat(secrets.planted()).isGreaterThan(2_500);
        assertThat(seen).as("positions in which the server found a secret").isGreaterThan(400);
        assertThat(unsent)
                .as("commands after which the proxy closed the connection")
                .isLessThan(20);
        assertThat(outputs.get("the log")).anyMatch(line -> line.startsWith("DEBUG io.scatterguard"));
        if (judged) {
            assertThat(outputs.get("the status command")).allMatch(line -> line.contains("\"counters\""));
            assertThat(outputs.get("/metrics")).anyMatch(line -> line.startsWith("scatterguard_findings_total{"));
            assertThat(outputs.get("/api/v1/findings?limit=1000"))
                    .anyMatch(line -> line.split("\"hash\"", -1).length > 20);
            assertThat(spans).as("spans").isGreaterThan(150);
            assertThat(outputs.get("the audit log")).hasSizeGreaterThan(record.equals("all") ? 150 : 20);
            assertThat(refusals).hasSizeGreaterThan(mode.equals("enforce") ? 10 : -1);
        }
        System.out.printf(
                "redaction, mode %s, record %s: planted=%d forwarded=%d auditLines=%d logLines=%d refusals=%d%n",
                mode,
                record,
                secrets.planted(),
                seen,
                outputs.get("the audit log").size(),
                outputs.get("the log").size(),
                refusals.size());
    }

    private static String config(String mode, String record, String findings, String auth, String upstream) {
        String rules = upstream.equals("mongos")
                ? ""
                : "shardingRules: [ { namespace: shop.orders, key: { region: 1, userId: 1 }, shards: 3 } ]\n";
        return """
                listeners:
                  - bind: 127.0.0.1:0
                    upstream: { kind: %s, hosts: ["UPSTREAM"] }
                server: { auth: %s, identity: connectionStatus }
                policy: { mode: %s, default: { reads: refuse, writes: refuse }, wouldFail: refuse }
                audit: { sinks: [], record: %s, findings: %s }
                admin: { bind: "127.0.0.1:0" }
                """.formatted(upstream, auth, mode, record, findings) + rules;
    }

    /** Spans and metrics are sent away. */
    private static String exports(OtlpCollector collector) {
        return """
                tracing: { endpoint: "%s" }
                metrics: { otlp: { endpoint: "%s" } }
                """.formatted(collector.endpoint("/v1/traces"), collector.endpoint("/v1/metrics"));
    }

    /** The command, as part of a trace; what is planted in its comment stays there. */
    private static BsonDocument traced(BsonDocument command) {
        BsonValue comment = command.get("comment", new BsonString(""));
        if (comment.isString()) {
            command.append(
                    "comment",
                    new BsonString(TRACE_PARENT + " " + comment.asString().getValue()));
        }
        return command;
    }

    private void send(ProxyUnderTest proxy) {
        List<BsonDocument> commands = new ArrayList<>();
        PlantedCommands.ofEveryFamily().forEach(template -> commands.add(traced(secrets.command(template))));
        PlantedCommands.ofEveryName().forEach(template -> commands.add(traced(secrets.command(template))));
        for (int i = 0; i < commands.size(); i += COMMANDS_A_CONNECTION) {
            exchange(proxy, commands.subList(i, Math.min(commands.size(), i + COMMANDS_A_CONNECTION)));
        }
        for (String template : PlantedCommands.withCredentials()) {
            exchange(proxy, List.of(secrets.command(template).append("$db", new BsonString("admin"))));
        }
        List<String> families = PlantedCommands.ofEveryFamily();
        for (int i = 0; i < families.size(); i += FAMILIES_BETWEEN_BROKEN) {
            for (byte[] broken : PlantedCommands.broken(inShop(secrets.command(families.get(i))))) {
                try (RawClient client = proxy.rawClient()) {
                    client.sendBytes(broken);
                    client.send(client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}")));
                    client.receiveOrEnd();
                }
            }
        }
    }

    private static BsonDocument inShop(BsonDocument command) {
        return command.containsKey("$db") ? command : command.append("$db", new BsonString("shop"));
    }

    /** Each by OP_MSG and, where it names no database itself, by OP_QUERY. */
    private void exchange(ProxyUnderTest proxy, List<BsonDocument> commands) {
        RawClient client = proxy.rawClient();
        try {
            for (BsonDocument command : commands) {
                if (!command.containsKey("$db")) {
                    client.send(client.query(command).namespace("shop.$cmd"));
                    client = answered(proxy, client);
                }
                client.send(client.msg(inShop(command)));
                client = answered(proxy, client);
            }
        } finally {
            client.close();
        }
    }

    /** Keeps the answer if it is the proxy's own; another connection if this one was closed. */
    private RawClient answered(ProxyUnderTest proxy, RawClient client) {
        Optional<WireFrame> answer = client.receiveOrEnd();
        if (answer.isEmpty()) {
            unsent++;
            client.close();
            return proxy.rawClient();
        }
        BsonDocument body = answer.get().body();
        if (body.containsKey("scatterguard")) {
            refusals.add(body.toJson());
        }
        return client;
    }

    /** Quotes everything it is sent, as an error or in a reply. */
    private static ScriptedMongos mongos() {
        ScriptedMongos mongos = ScriptedMongos.start();
        for (CommandName name : CommandName.values()) {
            boolean asked =
                    name == CommandName.PING || name == CommandName.END_SESSIONS || name == CommandName.BUILD_INFO;
            if (name.kind() != CommandName.Kind.HANDSHAKE && !asked) {
                mongos.on(name.text(), S26PlantedPositionsTest::quote);
            }
        }
        mongos.on("noSuchCommand", S26PlantedPositionsTest::quote);
        mongos.on("", S26PlantedPositionsTest::quote);
        return mongos;
    }

    private static Reply quote(WireFrame request) {
        String quoted = request.command().toJson();
        if (request.commandName().equalsIgnoreCase("connectionStatus")) {
            return Reply.json("{authInfo: {authenticatedUsers: [], authenticatedUserRoles: []}, ok: 1.0}");
        }
        return request.requestId() % 2 == 0
                ? Reply.error(11_000, "DuplicateKey", "E11000 duplicate key error dup key: " + quoted)
                : Reply.document(
                        new BsonDocument("cursor", BsonDocument.parse("{id: 0, ns: 'shop.orders', firstBatch: []}"))
                                .append("value", request.command())
                                .append("writeErrors", new BsonArray(List.of(request.command())))
                                .append("ok", new BsonDouble(1)));
    }
}
