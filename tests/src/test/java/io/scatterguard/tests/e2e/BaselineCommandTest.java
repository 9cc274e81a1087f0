package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.config.BaselineFile;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** From an audit log to a baseline under which only new broadcasts are refused. */
@ResourceLock(Resources.SYSTEM_OUT)
class BaselineCommandTest {
    private static final BsonDocument KNOWN =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");
    private static final BsonDocument KNOWN_OTHERWISE =
            BsonDocument.parse("{find: 'orders', filter: {status: 'paid'}, $db: 'shop'}");
    private static final BsonDocument UNKNOWN =
            BsonDocument.parse("{find: 'orders', filter: {total: {$gt: 5}}, $db: 'shop'}");

    private final ScriptedMongos mongos = ScriptedMongos.start().withCatalog(CatalogDocuments.shop());

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        mongos.close();
    }

    private ProxyRuntime proxy(String policy, String audit) throws Exception {
        return ProxyRuntime.start(
                ConfigReader.read("""
                        listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
                        audit: { %s }
                        policy: { %s }
                        """.formatted(mongos.address(), audit, policy), Map.of()), RuntimeParts.standard());
    }

    private static boolean refused(RawClient client, BsonDocument command) {
        return client.command(command.clone())
                        .getNumber("code", new BsonInt32(0))
                        .intValue()
                == 61_001;
    }

    @Test
    void whatWasSeenIsLetPassAndWhatIsNewRefused() throws Exception {
        Path audit = folder.resolve("audit.jsonl");
        try (ProxyRuntime observing = proxy("mode: observe", "sinks: [ { type: file, path: '" + audit + "' } ]");
                RawClient client = RawClient.connect(observing.address())) {
            client.command(KNOWN.clone());
            client.command(KNOWN_OTHERWISE.clone());
        }
        Path baseline = folder.resolve("baseline.yaml");
        CommandLineRun created =
                CommandLineRun.of("baseline", "create", audit.toString(), "--output", baseline.toString());
        assertThat(created.code()).as(created.err()).isZero();
        assertThat(created.err()).contains("1 shapes, 1 of them new");
        BaselineEntry entry = BaselineFile.read(baseline).get(0);
        assertThat(entry.namespace()).isEqualTo("shop.orders");
        assertThat(entry.shape()).isEqualTo("find {filter: {status: ?string}}");
        assertThat(entry.lastSeen()).isNotNull();

        String policy = "mode: enforce, default: { reads: refuse }, baselineFile: '" + baseline + "'";
        try (ProxyRuntime enforcing = proxy(policy, "sinks: []");
                RawClient client = RawClient.connect(enforcing.address())) {
            assertThat(refused(client, KNOWN)).isFalse();
            assertThat(refused(client, KNOWN_OTHERWISE)).isFalse();
            assertThat(refused(client, UNKNOWN)).isTrue();
        }
    }

    private Path log(String... lines) throws Exception {
        return Files.write(folder.resolve("log.jsonl"), List.of(lines));
    }

    private static String record(String day, String hash, String verdict) {
        return """
                {"seq":1,"ts":"%sT10:00:00.000001Z","db":"shop","coll":"orders","shape":{"text":"find","hash":"%s"},"owner":"shop","verdict":{%s}}\
                """.formatted(day, hash, verdict);
    }

    @Test
    void onlyFindingsCountAndForeignLinesAreNamed() throws Exception {
        Path log = log(
                record("2026-11-02", "00000000000000aa", "\"action\":\"log\""),
                record("2026-11-01", "00000000000000aa", "\"action\":\"refuse\""),
                record("2026-11-02", "00000000000000bb", "\"action\":\"allow\",\"exemption\":\"nightly\""),
                record("2026-11-02", "00000000000000cc", "\"action\":\"allow\""),
                "{\"seq\":9,\"ts\":\"2026-11-03T10:00:00Z\",\"db\":\"shop\",\"coll\":\"orders\",\"shape\":{\"text\":\"find\","
                        + "\"hash\":\"00000000000000aa\"},\"counts\":{\"findings\":299,\"exempted\":9}}",
                "not JSON",
                "{\"other\":1}",
                "");
        CommandLineRun run = CommandLineRun.of("baseline", "create", log.toString());
        assertThat(run.code()).isZero();
        assertThat(run.err())
                .contains(log + ":6: ")
                .contains(log + ":7: no audit record")
                .contains("left out what cannot be used: 2 lines");
        assertThat(BaselineFile.parse(run.out(), "out"))
                .containsExactly(new BaselineEntry(
                        "00000000000000aa", "shop.orders", "find", 292, LocalDate.of(2026, 11, 3), "shop", null));
    }

    /** What a person has decided stays. */
    @Test
    void anExistingOneIsGoneOnWith() throws Exception {
        Path baseline = folder.resolve("baseline.yaml");
        CommandLineRun accepted = CommandLineRun.of(
                "baseline",
                "accept",
                "00000000000000aa",
                "--file",
                baseline.toString(),
                "--owner",
                "me",
                "--until",
                "2027-01-01");
        assertThat(accepted.code()).as(accepted.err()).isZero();
        Path log = log(
                record("2026-11-02", "00000000000000aa", "\"action\":\"log\""),
                record("2026-11-02", "00000000000000dd", "\"action\":\"log\""));
        CommandLineRun run = CommandLineRun.of("baseline", "create", log.toString(), "--existing", baseline.toString());
        List<BaselineEntry> entries = BaselineFile.parse(run.out(), "out");
        assertThat(entries)
                .extracting(BaselineEntry::id)
                .containsExactlyInAnyOrder("00000000000000aa", "00000000000000dd");
        assertThat(entries)
                .filteredOn(entry -> entry.id().endsWith("aa"))
                .extracting(BaselineEntry::owner, BaselineEntry::until)
                .containsExactly(tuple("me", LocalDate.of(2027, 1, 1)));
    }

    private static CommandLineRun accept(String id, Path baseline, Path log) {
        return CommandLineRun.of(
                "baseline", "accept", id, "--file", baseline.toString(), "--owner", "me", "--audit", log.toString());
    }

    @Test
    void acceptingTakesWhatTheLogSaysAndNamesWhatItDoesNotHave() throws Exception {
        Path baseline = folder.resolve("baseline.yaml");
        Files.writeString(baseline, "baseline: [{id: \"00000000000000aa\", shape: old, count: 1, owner: you}]\n");
        Path log = log(record("2026-11-02", "00000000000000aa", "\"action\":\"log\""));
        CommandLineRun known = accept("00000000000000aa", baseline, log);
        CommandLineRun mistyped = accept("00000000000000ab", baseline, log);

        assertThat(known.code()).as(known.err()).isZero();
        assertThat(known.err()).isEqualToIgnoringNewLines("1 shapes -> " + baseline);
        assertThat(mistyped.code()).isZero();
        assertThat(mistyped.err()).contains("00000000000000ab is not in the audit log");
        assertThat(BaselineFile.read(baseline))
                .containsExactly(
                        new BaselineEntry(
                                "00000000000000aa", "shop.orders", "find", 1, LocalDate.of(2026, 11, 2), "me", null),
                        new BaselineEntry("00000000000000ab", null, null, 0, null, "me", null));
    }

    /** A proxy that watches the file must not see half of it. */
    @Test
    void theFileIsReplacedAsAWhole() throws Exception {
        Path log = log(record("2026-11-02", "00000000000000aa", "\"action\":\"log\""));
        Path baseline = folder.resolve("baseline.yaml");
        Files.writeString(baseline, "before");
        Path before = Files.createLink(folder.resolve("before.yaml"), baseline);
        CommandLineRun run = CommandLineRun.of("baseline", "create", log.toString(), "-o", baseline.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(BaselineFile.read(baseline)).hasSize(1);
        assertThat(before).as("the file that was there").hasContent("before");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("log.jsonl", "baseline.yaml", "before.yaml");
        CommandLineRun nowhere = CommandLineRun.of(
                "baseline",
                "create",
                log.toString(),
                "-o",
                folder.resolve("none/b.yaml").toString());
        assertThat(nowhere.code()).isEqualTo(2);
        assertThat(nowhere.err()).contains("no such folder");
        CommandLineRun nobody = CommandLineRun.of("baseline", "create", log.toString(), "-o", "/dev/null");
        assertThat(nobody.code()).as(nobody.err()).isZero();
    }

    /** What a report prints to accept a finding can be pasted as it is; with the report itself the entry says what it is. */
    @Test
    void aReportedFindingIsAcceptedWithWhatTheReportSays() throws Exception {
        Path log = log(record("2026-11-02", "00000000000000aa", "\"action\":\"log\""));
        Path report = folder.resolve("report.json");
        CommandLineRun check =
                CommandLineRun.of("check", log.toString(), "--report", "json", "--output", report.toString());
        assertThat(check.code()).as(check.err()).isEqualTo(61);
        Path baseline = folder.resolve("baseline.yaml");
        String[] accept = {
            "baseline", "accept", "00000000000000aa", "--file", baseline.toString(), "--owner", "me", "--findings", ""
        };
        accept[accept.length - 1] = report.toString();
        assertThat(CommandLineRun.of(accept).code()).isZero();
        assertThat(BaselineFile.read(baseline)).singleElement().satisfies(entry -> {
            assertThat(entry.shape()).isNotBlank();
            assertThat(entry.namespace()).isNotBlank();
            assertThat(entry.count()).isOne();
            assertThat(entry.lastSeen()).isEqualTo(LocalDate.of(2026, 11, 2));
        });
        CommandLineRun known = CommandLineRun.of("check", log.toString(), "--baseline", baseline.toString());
        assertThat(known.code()).as(known.out()).isZero();

        accept[2] = "00000000000000ab";
        assertThat(CommandLineRun.of(accept).err()).contains("00000000000000ab is not in the report");
        accept[accept.length - 1] = log.toString();
        CommandLineRun noReport = CommandLineRun.of(accept);
        assertThat(noReport.code()).isEqualTo(2);
        assertThat(noReport.err()).contains("--findings").contains("(expected: a report of exec or check");
    }

    @Test
    void wrongInputIsNamed() throws Exception {
        assertThat(CommandLineRun.of(
                                "baseline", "create", folder.resolve("none").toString())
                        .err())
                .contains("no such file");
        CommandLineRun empty = CommandLineRun.of("baseline", "create", log("").toString());
        assertThat(empty.code()).isOne();
        assertThat(empty.err()).contains("no finding in");
        CommandLineRun id = CommandLineRun.of("baseline", "accept", "xyz", "--file", "f", "--owner", "me");
        assertThat(id.code()).isEqualTo(2);
        assertThat(id.err()).contains("ID xyz (expected: the shape's hash, 16 hexadecimal digits)");
    }
}
