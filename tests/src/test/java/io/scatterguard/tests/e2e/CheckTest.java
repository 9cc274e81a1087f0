package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.AuditLines;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** {@code check}: recorded queries, judged without a server. */
@ResourceLock(Resources.SYSTEM_OUT)
class CheckTest {
    private static final int FINDINGS = 61;
    private static final String SECRET = "sesame";

    @TempDir
    private Path folder;

    private Path rules;

    @BeforeEach
    void declare() throws IOException {
        rules = file("rules.yaml", """
                shardingRules:
                  - { namespace: shop.orders, key: { region: 1, userId: 1 }, shards: 3 }
                  - { namespace: yorkie-meta.documents, key: { project_id: hashed }, shards: 3 }
                """);
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static CommandLineRun check(Object... args) {
        String[] all = new String[args.length + 1];
        all[0] = "check";
        for (int i = 0; i < args.length; i++) {
            all[i + 1] = args[i].toString();
        }
        return CommandLineRun.of(all);
    }

    private static String slow(String namespace, String command, int millis) {
        return "{\"t\":{\"$date\":\"2026-11-30T12:00:00.250+00:00\"},\"s\":\"I\",  \"c\":\"COMMAND\", \"id\":51803,"
                + "\"ctx\":\"conn42\",\"msg\":\"Slow query\",\"attr\":{\"type\":\"command\",\"ns\":\"" + namespace
                + "\",\"appName\":\"checkout\",\"command\":" + command + ",\"durationMillis\":" + millis + "}}\n";
    }

    private static String find(String filter, int millis) {
        return slow("shop.orders", "{\"find\":\"orders\",\"filter\":" + filter + ",\"$db\":\"shop\"}", millis);
    }

    private static BsonArray findings(CommandLineRun run) {
        return BsonDocument.parse(run.out()).getArray("findings");
    }

    private static List<String> ids(CommandLineRun run) {
        return findings(run).stream()
                .map(finding -> finding.asDocument().getString("id").getValue())
                .sorted()
                .toList();
    }

    @Test
    void aLogGivesOneFindingForEachShapeTheCostliestFirst() throws IOException {
        Path log = file(
                "mongod.log",
                find("{\"status\":\"" + SECRET + "\"}", 10)
                        + find("{\"status\":\"other\"}", 30)
                        + find("{\"region\":\"eu\",\"userId\":7}", 500)
                        + find("{\"userId\":7}", 100)
                        + slow(
                                "shop.orders",
                                "{\"getMore\":9,\"collection\":\"orders\",\"$db\":\"shop\"},\"originatingCommand\":"
                                        + "{\"find\":\"orders\",\"filter\":{\"userId\":8},\"$db\":\"shop\"}",
                                200));
        CommandLineRun run = check("--rules", rules, "--report", "json", log);
        assertThat(run.code()).isEqualTo(FINDINGS);
        assertThat(run.out() + run.err()).doesNotContain(SECRET);
        BsonDocument report = BsonDocument.parse(run.out());
        assertThat(report.getDocument("totals").getNumber("commands").intValue())
                .isEqualTo(4);
        List<BsonValue> findings = report.getArray("findings");
        assertThat(findings).hasSize(2);
        BsonDocument first = findings.get(0).asDocument();
        assertThat(first.getString("shape").getValue()).isEqualTo("find {filter: {userId: ?number}}");
        assertThat(first.getString("kind").getValue()).isEqualTo("scatter-gather");
        assertThat(first.getDocument("seen").getNumber("times").intValue()).isOne();
        assertThat(first.getDocument("seen").getNumber("serverMicros").longValue())
                .as("with the further batch")
                .isEqualTo(300_000);
        assertThat(first.getDocument("seen").getNumber("shardMicros").longValue())
                .isEqualTo(900_000);
        assertThat(first.getArray("keyFields"))
                .isEqualTo(BsonArray.parse("[{field: 'region'}, {field: 'userId', by: 'point'}]"));
        assertThat(first.getString("fix").getValue()).contains("region");
        BsonDocument second = findings.get(1).asDocument();
        assertThat(second.getDocument("seen").getNumber("times").intValue()).isEqualTo(2);
    }

    /** The query of the report that this began with. */
    @Test
    void aHashedKeyThatIsGivenIsNoFinding() throws IOException {
        String filter = "{\"_id\":{\"$lt\":{\"$oid\":\"65f000000000000000000000\"}},\"project_id\":"
                + "{\"$eq\":{\"$oid\":\"65f000000000000000000001\"}},\"removed_at\":{\"$exists\":false}}";
        String find =
                "{\"find\":\"documents\",\"filter\":" + filter + ",\"sort\":{\"_id\":-1},\"$db\":\"yorkie-meta\"}";
        Path log = file("mongod.log", slow("yorkie-meta.documents", find, 131));
        assertThat(check("--rules", rules, log).code()).isZero();
        Path other =
                file("other.yaml", "shardingRules: [{namespace: yorkie-meta.documents, key: {key: 1}, shards: 3}]");
        CommandLineRun run = check("--rules", other, log);
        assertThat(run.code()).isEqualTo(FINDINGS);
        assertThat(run.out()).contains(" new scatter-gather yorkie-meta.documents find\n", "✗ key missing");
    }

    @Test
    void theBaselineAndFailOnDecideWhatFails() throws IOException {
        Path log = file("mongod.log", find("{\"userId\":7}", 100));
        String id = ids(check("--rules", rules, "--report", "json", log)).get(0);
        Path baseline = file("baseline.yaml", "baseline: [{id: \"" + id + "\"}]\n");
        CommandLineRun known = check("--rules", rules, "--baseline", baseline, log);
        assertThat(known.code()).isZero();
        Path over = file("over.yaml", "baseline: [{id: \"" + id + "\", until: 2020-01-01}]\n");
        assertThat(check("--rules", rules, "--baseline", over, log).code())
                .as("what was accepted until a day is new after it")
                .isEqualTo(FINDINGS);
        assertThat(known.out()).contains(id + " known scatter-gather shop.orders find\n", "0 new, 1 known");
        assertThat(check("--rules", rules, "--baseline", baseline, "--fail-on", "any", log)
                        .code())
                .isEqualTo(FINDINGS);
        assertThat(check("--rules", rules, "--fail-on", "none", log).code()).isZero();
    }

    /** All four kinds of input give the same finding. */
    @Test
    void logsProfilesAndCommandsAgree() throws IOException {
        String command = "{\"find\":\"orders\",\"filter\":{\"userId\":7},\"$db\":\"shop\"}";
        String profile = "{\"op\":\"query\",\"ns\":\"shop.orders\",\"command\":" + command
                + ",\"millis\":7,\"ts\":{\"$date\":\"2026-11-30T12:00:00Z\"},\"user\":\"\"}";
        Path zipped = folder.resolve("mongod.log.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(find("{\"userId\":7}", 100).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        ByteArrayOutputStream bson = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
            ByteBuffer one = new RawBsonDocument(BsonDocument.parse(profile), new BsonDocumentCodec())
                    .getByteBuffer()
                    .asNIO();
            bson.write(one.array(), one.arrayOffset() + one.position(), one.remaining());
        }
        Path dump = Files.write(folder.resolve("system.profile.bson"), bson.toByteArray());
        List<String> ids = ids(check("--rules", rules, "--report", "json", zipped));
        assertThat(ids).hasSize(1);
        for (Path input : List.of(dump, file("profile.json", profile + "\n"), file("commands.txt", command + "\n\n"))) {
            CommandLineRun run = check("--rules", rules, "--report", "json", input);
            assertThat(ids(run)).as(input.toString()).isEqualTo(ids);
        }
        CommandLineRun all = check("--rules", rules, "--report", "json", zipped, dump);
        assertThat(findings(all)
                        .get(0)
                        .asDocument()
                        .getDocument("seen")
                        .getNumber("times")
                        .intValue())
                .isEqualTo(4);
    }

    /** A proxy's own records need no catalog, and have the ids that a judgement of the command itself has. */
    @Test
    void auditRecordsGiveTheFindingsTheyWereMadeOf() throws IOException {
        Path audit = folder.resolve("audit.jsonl");
        AuditLines sink = new AuditLines();
        try (ScriptedMongos mongos = ScriptedMongos.start().withData();
                ProxyUnderTest proxy =
                        ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard().withSink(sink));
                MongoClient client = proxy.driver()) {
            client.getDatabase("shop")
                    .getCollection("orders")
                    .find(Filters.eq("customerId", 7))
                    .first();
            try {
                client.getDatabase("shop")
                        .getCollection("orders")
                        .find(Filters.eq("status", SECRET))
                        .first();
            } catch (com.mongodb.MongoCommandException refused) {
                assertThat(refused.getErrorCode()).isEqualTo(61_001);
            }
            client.getDatabase("shop").runCommand(new Document("ping", 1));
        }
        Files.writeString(audit, String.join("", sink.lines()));
        CommandLineRun recorded = check("--report", "json", audit);
        assertThat(recorded.code()).isEqualTo(FINDINGS);
        assertThat(findings(recorded)).hasSize(1);
        BsonDocument finding = findings(recorded).get(0).asDocument();
        assertThat(finding.getDocument("seen").getNumber("refused").intValue()).isOne();
        Path key = file(
                "key.yaml", "shardingRules: [{namespace: shop.orders, key: {customerId: 1, orderId: 1}, shards: 3}]");
        Path command = file(
                "command.txt", "{find: 'orders', filter: {status: 'x'}, limit: 1, singleBatch: true, $db: 'shop'}\n");
        CommandLineRun judged = check("--rules", key, "--report", "json", command);
        assertThat(ids(judged)).as(finding.getString("shape").getValue()).isEqualTo(ids(recorded));
        BsonDocument same = findings(judged).get(0).asDocument();
        for (String field : List.of("kind", "shape", "shardKey", "keyFields", "fix", "fixFilter")) {
            assertThat(finding.get(field)).as(field).isNotNull().isEqualTo(same.get(field));
        }
        assertThat(finding.getString("fixFilter").getValue())
                .isEqualTo("filter: {customerId: <value>, orderId: <value>, status: ?string}");
    }

    @Test
    void whatCannotBeReadIsCountedAndTheFirstAreShown() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            lines.append("2019-01-01 ").append(SECRET).append(" line\n");
        }
        lines.append(
                "{\"t\":{\"$date\":\"2026-11-30T12:00:00.250+00:00\"},\"s\":\"I\",\"msg\":\"Connection accepted\"}\n");
        lines.append(slow("shop.$cmd", "{\"insert\":\"orders\",\"ordered\":true,\"$db\":\"shop\"}", 5));
        String cut = find("{\"userId\":\"" + SECRET + "\"}", 1);
        lines.append(cut, 0, cut.length() - 30).append('\n');
        lines.append(find("{\"region\":\"eu\",\"userId\":7}", 500));
        Path log = file("mongod.log", lines.toString());
        CommandLineRun run = check("--rules", rules, log);
        assertThat(run.code()).isZero();
        assertThat(run.err())
                .contains("left out 1: the statements of \"insert\" are not recorded")
                .contains("mongod.log:1: neither a log line")
                .contains("mongod.log:5: ")
                .doesNotContain("mongod.log:6: ")
                .contains("and 4 more lines that cannot be read")
                .doesNotContain(SECRET);
    }

    /** Where the first batches were fast, there is nothing else of these commands; they were judged all the same. */
    @Test
    void aLogOfFurtherBatchesOnlyIsNotNothing() throws IOException {
        Path log = file(
                "mongod.log",
                slow(
                        "shop.orders",
                        "{\"getMore\":9,\"collection\":\"orders\",\"$db\":\"shop\"},\"originatingCommand\":{\"find\":"
                                + "\"orders\",\"filter\":{\"region\":\"eu\",\"userId\":8},\"$db\":\"shop\"}",
                        200));
        assertThat(check("--rules", rules, log).code()).isZero();
    }

    /** A line that nobody expected costs itself, and Windows ends lines otherwise. */
    @Test
    void anOddLineDoesNotEndTheRun() throws IOException {
        Path log = file(
                "commands",
                "{ns: 'shop.orders', command: {find: 'orders', $db: 5}}\r\n"
                        + "{find: 'orders', filter: {region: 'eu', userId: 1}, $db: 'shop'}\r\n"
                        + find("{\"userId\":7}", 100).replace("\n", "\r\n")
                        + "{\"t\":{\"$date\":\"2026-11-30T12:00:00.250+00:00\"},\"s\":\"I\",\"msg\":\"Connection accepted\"}\r\n");
        CommandLineRun run = check("--rules", rules, "--report", "json", log);
        assertThat(run.code()).isEqualTo(FINDINGS);
        assertThat(run.err())
                .contains("commands:1: ")
                .doesNotContain("commands:2: ")
                .doesNotContain("cut off");
        BsonDocument totals = BsonDocument.parse(run.out()).getDocument("totals");
        assertThat(totals.getNumber("commands").intValue()).isEqualTo(2);
    }

    /** What has no time comes now: an exemption that has expired does not cover it, and it was seen at no known time. */
    @Test
    void aCommandWithoutATimeComesNow() throws IOException {
        Path command = file("command.txt", "{find: 'orders', filter: {userId: 1}, $db: 'shop'}\n");
        Path policy = file("policy.yaml", """
                listeners: [{upstream: {hosts: [a]}}]
                policy: {exemptions: [{id: over, match: {namespace: shop.orders}, until: 2020-01-01}]}
                """);
        CommandLineRun run = check("--rules", rules, "--policy", policy, "--report", "json", command);
        assertThat(run.code()).isEqualTo(FINDINGS);
        assertThat(findings(run).get(0).asDocument().getDocument("seen").keySet())
                .doesNotContain("first", "last");
        Path lasting = file("lasting.yaml", Files.readString(policy).replace("2020", "2999"));
        CommandLineRun exempted = check("--rules", rules, "--policy", lasting, "--report", "json", command);
        assertThat(exempted.code()).isZero();
        assertThat(BsonDocument.parse(exempted.out())
                        .getDocument("totals")
                        .getNumber("exempted")
                        .intValue())
                .isOne();
    }

    /** Hours of other logs are not to be read again for it. */
    @Test
    void anInputThatIsCutOffCostsTheRestOfItself() throws IOException {
        Path whole = file("mongod.log", find("{\"userId\":7}", 100));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(find("{\"status\":\"x\"}", 1).getBytes(StandardCharsets.UTF_8));
        }
        Path cut =
                Files.write(folder.resolve("mongod.log.1.gz"), Arrays.copyOf(packed.toByteArray(), packed.size() - 12));
        CommandLineRun run = check("--rules", rules, "--report", "json", cut, whole);
        assertThat(run.code()).as("not all that was asked for was looked at").isOne();
        assertThat(run.err()).contains("not read to its end: ").contains("mongod.log.1.gz");
        assertThat(findings(run)).isNotEmpty();
        assertThat(check("--rules", rules, whole).err()).doesNotContain("not read to its end");
    }

    @Test
    void wrongUseSaysWhatIsMissing() throws IOException {
        Path log = file("mongod.log", find("{\"userId\":7}", 1));
        assertThat(check(log).code()).isEqualTo(2);
        assertThat(check(log).err()).contains("commands need a catalog").contains("--rules FILE");
        Path empty = file("empty.log", "");
        assertThat(check("--rules", rules, empty).code()).isEqualTo(2);
        assertThat(check("--rules", rules, empty).err()).contains("nothing was judged: no command in");
        assertThat(check("--rules", rules, folder.resolve("none.log")).err()).contains("no such file");
    }
}
