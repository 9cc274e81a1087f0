package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.ProxyUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** {@code policy test}: what a policy would have done with what was recorded, and with commands of a file. */
@ResourceLock(Resources.SYSTEM_OUT)
class PolicyTestTest {
    private static final String LISTENERS = "listeners: [{upstream: {hosts: [a]}}]\n";
    private static final String RULES = "shardingRules: [{namespace: shop.orders, key: {customerId: 1}}]\n";
    private static final String OBSERVING = "policy: {rules: [{name: no-scans, match: {namespace: shop.orders},"
            + " action: refuse}, {name: idle, match: {namespace: none.*}, action: refuse}]}\n";
    private static final String SECRET = "sesame";

    @TempDir
    private Path folder;

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static CommandLineRun test(Object... args) {
        String[] all = new String[args.length + 2];
        all[0] = "policy";
        all[1] = "test";
        for (int i = 0; i < args.length; i++) {
            all[i + 2] = args[i].toString();
        }
        return CommandLineRun.of(all);
    }

    private Path commands() throws IOException {
        return file(
                "commands.jsonl",
                "{id: 'a', ns: 'shop.orders', command: {find: 'orders', filter: {status: '" + SECRET + "'}}}\n"
                        + "{id: 'b', ns: 'shop.orders', command: {find: 'orders', filter: {status: 'other'}}}\n\n"
                        + "{id: 'c', ns: 'shop.orders', command: {find: 'orders', filter: {customerId: 5}}}\n");
    }

    @Test
    void commandsOfAFile() throws IOException {
        CommandLineRun run =
                test(file("p.yaml", LISTENERS + OBSERVING), commands(), "--rules", file("rules.yaml", RULES));

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualToNormalizingNewlines("""
                tested: 3, unreadable: 0
                2 refuse by no-scans
                    2 x shop.orders: find {filter: {status: ?string}} (HASH)
                1 allow by (default)
                    1 x shop.orders: find {filter: {customerId: ?number}} (HASH)
                0 by idle
                """.replaceAll("HASH", "x")
                .replace("(x)", "(" + "%s" + ")")
                .formatted(hashes(run.out()).toArray()));
        assertThat(run.out()).doesNotContain(SECRET);
    }

    private static List<String> hashes(String out) {
        return Pattern.compile("\\(([0-9a-f]{16})\\)")
                .matcher(out)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void twoPoliciesAreCompared() throws IOException {
        Path before = file("before.yaml", LISTENERS + "policy: {default: {reads: log}}");
        Path after = file(
                "after.yaml",
                LISTENERS
                        + "policy: {rules: [{name: few, match: {namespace: shop.orders}, action: throttle, rate: 1/s}]}");
        Path rules = file("rules.yaml", RULES);
        CommandLineRun changed = test(after, commands(), "--compare", before, "--rules", rules, "--format", "json");
        BsonDocument json = BsonDocument.parse(changed.out());

        assertThat(changed.code()).isEqualTo(1);
        assertThat(json.getArray("changes")).hasSize(1);
        BsonDocument change = json.getArray("changes").get(0).asDocument();
        assertThat(change.getString("fromAction").getValue()).isEqualTo("log");
        assertThat(change.getString("fromBy").getValue()).isEqualTo("(default)");
        assertThat(change.getString("toAction").getValue()).isEqualTo("throttle");
        assertThat(change.getString("toBy").getValue()).isEqualTo("few");
        assertThat(change.getNumber("count").intValue()).isEqualTo(2);
        assertThat(change.getArray("shapes")).hasSize(1);
        CommandLineRun same = test(before, commands(), "--compare", before, "--rules", rules);
        assertThat(same.code()).isZero();
        assertThat(same.out()).contains("nothing changes");
    }

    @Test
    void whatCannotBeReadIsNamedAndTheRestTested() throws IOException {
        Path lines = file("lines.jsonl", """
                {nonsense}
                {id: 'c', ns: 'shop.orders', command: {find: 'orders', filter: {customerId: 5}}}
                """);
        CommandLineRun run = test(file("p.yaml", LISTENERS + OBSERVING), lines, "--rules", file("rules.yaml", RULES));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).startsWith("tested: 1, unreadable: 1\n");
        assertThat(run.err()).contains("lines.jsonl:1: ");
        CommandLineRun noCatalog = test(file("p.yaml", LISTENERS + OBSERVING), commands());
        assertThat(noCatalog.code()).isEqualTo(2);
        assertThat(noCatalog.err()).contains("commands need a catalog (records do not)");
    }

    /** An audit log is used as it is, and without a catalog: what tells too little in it is no fault. */
    @Test
    void whatTellsTooLittleIsLeftOut() throws IOException {
        String counts = """
                {"seq": 3, "ts": "2026-12-01T10:21:30.123456Z", "db": "shop", "coll": "orders", "command": "find", \
                "shape": {"text": "find", "hash": "0123456789abcdef"}, "counts": {"findings": 299, "exempted": 0}}
                """;
        String gap = "{\"gap\": {\"from\": 6, \"to\": 8, \"count\": 3}, \"ts\": \"2026-12-01T10:20:30.123456Z\"}\n";
        String ping = "{\"seq\": 1, \"command\": \"ping\", \"verdict\": {\"action\": \"allow\"}}\n";
        String record = """
                {"seq": 2, "ts": "2026-12-01T10:20:30.123456Z", "db": "shop", "coll": "orders", "command": "find", \
                "shape": {"text": "find", "hash": "0123456789abcdef"}, "route": {"placement": "allShards", \
                "shape": "scatterGather", "certainty": "exact", "shardCount": 2}, "verdict": {"action": "log"}}
                """;
        Path policy = file("p.yaml", LISTENERS + OBSERVING);
        CommandLineRun run = test(policy, file("audit.jsonl", gap + ping + counts + record + gap));

        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("""
                tested: 1, unreadable: 0
                left out: 2 gaps (6 records are missing), 1 counts (299 findings without a record), 1 records of commands \
                that are not routed
                1 refuse by no-scans
                """);
        assertThat(run.err())
                .contains("audit.jsonl:1: a gap: 3 records are missing here")
                .contains("audit.jsonl:5: a gap: 3 records are missing here");
        BsonDocument json =
                BsonDocument.parse(test(policy, file("audit.jsonl", gap + counts + record), "--format", "json")
                        .out());
        assertThat(json.getDocument("leftOut"))
                .isEqualTo(BsonDocument.parse(
                        "{gaps: 1, missingRecords: 3, counts: 1, countedFindings: 299, notRouted: 0}"));
        CommandLineRun nothing = test(policy, file("gaps.jsonl", gap));
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err()).contains("nothing was tested");
    }

    /** What a proxy recorded is judged as the proxy judged it, by the policy it ran with; no catalog is needed. */
    @Test
    void recordsOfAProxy() throws Exception {
        Path log = folder.resolve("audit.jsonl");
        String policy =
                "policy: {mode: enforce, default: {reads: log}, owners: [{owner: shop-team, namespace: \"shop.*\"}],"
                        + " rules: [{name: few, match: {namespace: shop.orders, commands: find}, action: throttle, rate: 1/h,"
                        + " owner: dba}, {name: counted, match: {commands: aggregate, notes: keyUnderWrongPath}, action: refuse}]}\n";
        try (EmbeddedServer server = EmbeddedServer.start(0)) {
            ShopData.load(server.connectionString());
            String yaml = "listeners: [{bind: \"127.0.0.1:0\", upstream: {hosts: [\"127.0.0.1:" + server.port()
                    + "\"]}}]\n" + policy + "audit: {sinks: [{type: file, path: " + log + "}], record: routed}\n";
            try (ProxyUnderTest proxy = ProxyUnderTest.of(yaml, RuntimeParts.standard());
                    MongoClient client = proxy.driver()) {
                MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
                orders.find(Filters.eq("status", SECRET)).first();
                Throwable refused = catchThrowable(
                        () -> orders.find(Filters.eq("status", "open")).first());
                assertThat(refused).hasMessageContaining("by rule few (above its rate; ask dba)");
                orders.find(Filters.eq("customerId", 5)).first();
            }
        }
        List<BsonDocument> records = Files.readAllLines(log).stream()
                .map(BsonDocument::parse)
                .filter(record ->
                        record.getString("coll", new BsonString("")).getValue().equals("orders"))
                .toList();
        assertThat(records.stream()
                        .map(record -> record.getDocument("verdict")
                                .getString("reason")
                                .getValue()))
                .contains("rule", "throttled", "default");
        for (BsonDocument record : records) {
            boolean finding = !record.getDocument("verdict")
                    .getString("action")
                    .getValue()
                    .equals("allow");
            BsonValue owner = record.get("owner");
            assertThat(owner == null ? null : owner.asString().getValue()).isEqualTo(finding ? "shop-team" : null);
        }

        Path only = file(
                "orders.jsonl",
                String.join("\n", records.stream().map(BsonDocument::toJson).toList()));
        CommandLineRun run = test(file("p.yaml", LISTENERS + policy), only, "--format", "json");
        BsonDocument json = BsonDocument.parse(run.out());
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        BsonDocument most = json.getArray("decisions").get(0).asDocument();
        assertThat(most.getString("action").getValue()).isEqualTo("throttle");
        assertThat(most.getString("by").getValue()).isEqualTo("few");
        assertThat(most.getNumber("count").intValue()).isEqualTo(2);
        assertThat(json.getArray("rulesWithoutEffect").get(0).asString().getValue())
                .isEqualTo("counted");
    }
}
