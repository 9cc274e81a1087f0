package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code check --compare}, on recorded mixes of Yorkie's commands and of a shop's: what is known to differ, and nothing else. */
@ResourceLock(Resources.SYSTEM_OUT)
class CompareTest {
    private static final int WORSE = 61;
    private static final Path RECORDED = Path.of("src", "test", "resources", "recorded");
    private static final Path YORKIE_RULES = Repository.root().resolve("docs/examples/yorkie/rules.yaml");

    @TempDir
    private Path folder;

    private Path ranged;
    private Path hashed;

    @BeforeEach
    void declare() throws IOException {
        ranged = file("ranged.yaml", """
                shardingRules:
                  - namespace: shop.orders
                    key: {customerId: 1, orderId: 1}
                    splitAt: [{customerId: 1000, orderId: {$minKey: 1}}, {customerId: 2000, orderId: {$minKey: 1}}]
                """);
        hashed = file("hashed.yaml", """
                shardingRules: [{namespace: shop.orders, key: {customerId: hashed}, shards: 3}]
                """);
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static CommandLineRun check(Object... args) {
        return CommandLineRun.of(
                Stream.concat(Stream.of("check"), Stream.of(args).map(Object::toString))
                        .toArray(String[]::new));
    }

    private static CommandLineRun json(Object... args) {
        List<Object> all = new ArrayList<>(List.of("--report", "json"));
        all.addAll(List.of(args));
        return check(all.toArray());
    }

    /** Each change in one line, in the report's order. */
    private static List<String> changes(CommandLineRun run) {
        return BsonDocument.parse(run.out()).getArray("changes").stream()
                .map(BsonValue::asDocument)
                .map(change -> change.getString("change").getValue() + " | "
                        + change.getString("shape").getValue() + " | "
                        + fate(change.getDocument("before")) + " -> " + fate(change.getDocument("after")) + " | "
                        + change.getDocument("seen").getNumber("times").intValue())
                .toList();
    }

    private static String fate(BsonDocument fate) {
        return fate.getString("way").getValue()
                + (fate.containsKey("error") ? " " + fate.getString("error").getValue() : "")
                + " " + fate.getNumber("shards").intValue();
    }

    private static int total(CommandLineRun run, String name) {
        return BsonDocument.parse(run.out())
                .getDocument("totals")
                .getNumber(name)
                .intValue();
    }

    /** The key-less update and the upsert by {@code _id} failed before 7.0 and are searched for since; nothing else changes. */
    @ParameterizedTest
    @ValueSource(strings = {"yorkie.mongod.log", "yorkie.commands.jsonl"})
    void writesWithoutTheKeyAreSearchedForSinceSevenInYorkie(String mix) {
        for (String release : List.of("7.0", "7.1", "8.0")) {
            CommandLineRun run = json(
                    "--rules", YORKIE_RULES, "--router-version", "6.0", "--compare", release, RECORDED.resolve(mix));
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(changes(run))
                    .as(release)
                    .containsExactlyInAnyOrder(
                            "no longer failing | update {updates: [{q: {key: ?string}, u: {$set: {status: ?string}}}]}"
                                    + " | would fail InvalidOptions 0 -> two-phase 3 | 5",
                            "no longer failing | update {updates: [{q: {_id: ?oid}, u: {$set: {status: ?string}}, upsert:"
                                    + " true}]} | would fail ShardKeyNotFound 0 -> two-phase 3 | 4");
            assertThat(total(run, "commands")).isEqualTo(249);
            assertThat(total(run, "unchanged")).isEqualTo(240);
            assertThat(total(run, "unchangedShapes")).isEqualTo(14);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.mongod.log", "shop.commands.jsonl"})
    void theShopsUpgradeMakesThreeMoreWritesWork(String mix) {
        CommandLineRun run =
                json("--rules", ranged, "--router-version", "6.0", "--compare", "7.1", RECORDED.resolve(mix));
        assertThat(run.code()).isZero();
        assertThat(changes(run))
                .containsExactlyInAnyOrder(
                        "no longer failing | update {updates: [{q: {number: ?string}, u: {$set: {status: ?string}}}]}"
                                + " | would fail InvalidOptions 0 -> two-phase 3 | 11",
                        "no longer failing | update {updates: [{q: {_id: ?oid}, u: {$set: {status: ?string}}, upsert:"
                                + " true}]} | would fail ShardKeyNotFound 0 -> two-phase 3 | 3",
                        "no longer failing | delete {deletes: [{q: {number: ?string}, limit: 1}]}"
                                + " | would fail ShardKeyNotFound 0 -> two-phase 3 | 2",
                        "no longer failing | findAndModify {query: {number: ?string}, update: {$inc: {tries: ?number}}}"
                                + " | would fail ShardKeyNotFound 0 -> two-phase 3 | 3");
    }

    /** Back again, what worked fails: that is worse. */
    @Test
    void aDowngradeIsWorseUnlessNobodyAsks() {
        Object[] back = {
            "--rules",
            YORKIE_RULES,
            "--router-version",
            "8.0",
            "--compare",
            "6.0",
            RECORDED.resolve("yorkie.mongod.log")
        };
        CommandLineRun run = json(back);
        assertThat(run.code()).isEqualTo(WORSE);
        assertThat(changes(run)).hasSize(2).allMatch(change -> change.startsWith("newly failing | update"));
        assertThat(total(run, "worse")).isEqualTo(2);
        List<Object> unasked = new ArrayList<>(List.of(back));
        unasked.addAll(List.of("--fail-on", "none"));
        assertThat(check(unasked.toArray()).code()).isZero();
    }

    @Test
    void aHashedKeyTurnsRangesIntoBroadcasts() {
        CommandLineRun run = json("--rules", ranged, "--compare-rules", hashed, RECORDED.resolve("shop.mongod.log"));
        assertThat(run.code()).isEqualTo(WORSE);
        List<String> changes = changes(run);
        assertThat(changes.subList(0, 2))
                .as("first, the costliest of them first")
                .containsExactly(
                        "newly broadcast | aggregate {pipeline: [{$match: {customerId: {$gt: ?number, $lte: ?number}}},"
                                + " {$group: {_id: $status, n: {$sum: ?number}}}]}"
                                + " | multi shard 1 -> scatter-gather 3 | 4",
                        "newly broadcast | find {filter: {customerId: {$gte: ?number, $lt: ?number}}, limit: ?number}"
                                + " | multi shard 1 -> scatter-gather 3 | 14");
        assertThat(changes.subList(2, changes.size()))
                .as("values of the key are no worse")
                .hasSize(2)
                .allMatch(change -> change.startsWith("improved | find {filter: {customerId: ?number}")
                        || change.startsWith("improved | find {filter: {customerId: {$in: "));
        BsonDocument seen = BsonDocument.parse(run.out())
                .getArray("changes")
                .get(0)
                .asDocument()
                .getDocument("seen");
        assertThat(seen.getNumber("serverMicros").longValue()).isEqualTo(4 * 420_000);
        assertThat(seen.getNumber("shardMicrosBefore").longValue()).isEqualTo(4 * 420_000);
        assertThat(seen.getNumber("shardMicrosAfter").longValue()).isEqualTo(3 * 4 * 420_000);
    }

    @Test
    void theTextShowsBothSidesAndNoValue() {
        CommandLineRun run = check("--rules", ranged, "--compare-rules", hashed, RECORDED.resolve("shop.mongod.log"));
        assertThat(run.code()).isEqualTo(WORSE);
        assertThat(run.out())
                .startsWith("before: release 8.0, rules " + ranged + "\nafter:  release 8.0, rules " + hashed + "\n\n")
                .contains(" newly broadcast shop.orders find\n")
                .contains(
                        "  multi shard (1 of 3) → scatter-gather (3 of 3)\n  14 times, 85.0 ms each, 1.2 s → 3.6 s of")
                .contains("verdict: allow → log\n")
                .endsWith("""
                        newly broadcast: 2 shapes, 18 commands
                        improved: 2 shapes, 41 commands
                        unchanged: 10 shapes, 181 commands
                        """)
                .doesNotContain("A-17")
                .doesNotContain("ann@example.org");
    }

    /** Names come from other people's databases, and the report is read on terminals. */
    @Test
    void namesCannotForgeLines(@TempDir Path folder) throws Exception {
        Path log = Files.writeString(
                folder.resolve("a.log"),
                "{\"t\":{\"$date\":\"2026-11-30T10:00:00.250+00:00\"},\"s\":\"I\",\"c\":\"COMMAND\",\"id\":51803,\"ctx\":\"c\","
                        + "\"msg\":\"Slow query\",\"attr\":{\"type\":\"command\",\"ns\":\"shop.o\\u001b[2J\\nx\",\"command\":{\"find\":"
                        + "\"o\\u001b[2J\\nx\",\"filter\":{\"a\":1},\"$db\":\"shop\"},\"durationMillis\":5}}\n");
        Path before = Files.writeString(
                folder.resolve("before.yaml"),
                "shardingRules: [{namespace: \"shop.o\\e[2J\\nx\", key: {a: 1}, shards: 3}]\n");
        Path after = Files.writeString(
                folder.resolve("after.yaml"),
                "shardingRules: [{namespace: \"shop.o\\e[2J\\nx\", key: {b: 1}, shards: 3}]\n");
        CommandLineRun run = check("--rules", before, "--compare-rules", after, log);
        assertThat(run.code()).as(run.err()).isEqualTo(WORSE);
        assertThat(run.out())
                .contains("newly broadcast shop.o\\u001b[2J\\u000ax find\n")
                .doesNotContain("\u001b");
    }

    /** What is in the baseline is known, and fails nothing but with {@code --fail-on any}. */
    @Test
    void knownShapesFailNothing() throws IOException {
        CommandLineRun first = json("--rules", ranged, "--compare-rules", hashed, RECORDED.resolve("shop.mongod.log"));
        StringBuilder entries = new StringBuilder("baseline:\n");
        for (BsonValue change : BsonDocument.parse(first.out()).getArray("changes")) {
            entries.append("  - {id: \"")
                    .append(change.asDocument().getString("id").getValue())
                    .append("\"}\n");
        }
        Path baseline = file("baseline.yaml", entries.toString());
        Path log = RECORDED.resolve("shop.mongod.log");
        CommandLineRun known = json("--rules", ranged, "--compare-rules", hashed, "--baseline", baseline, log);
        assertThat(known.code()).isZero();
        assertThat(total(known, "new")).isZero();
        assertThat(total(known, "worse")).isEqualTo(2);
        assertThat(check("--rules", ranged, "--compare-rules", hashed, "--baseline", baseline, "--fail-on", "any", log)
                        .code())
                .isEqualTo(WORSE);
    }

    /** The same on both sides changes nothing. */
    @Test
    void nothingChangesWhereNothingDiffers() {
        CommandLineRun run = json("--rules", ranged, "--compare-rules", ranged, RECORDED.resolve("shop.mongod.log"));
        assertThat(run.code()).isZero();
        assertThat(changes(run)).isEmpty();
        assertThat(total(run, "unchangedShapes")).isEqualTo(14);
    }

    @Test
    void auditRecordsAreLeftOutAndWrongUseIsSaid() throws IOException {
        Path audit = file("audit.jsonl", "{\"seq\":1,\"verdict\":{\"action\":\"log\"}}\n");
        CommandLineRun records = check("--rules", ranged, "--compare", "9.0", audit);
        assertThat(records.code()).isEqualTo(2);
        assertThat(records.err())
                .contains("left out 1: audit records hold no commands that could be judged again")
                .contains("nothing was judged");
        CommandLineRun without = check("--compare", "9.0", RECORDED.resolve("shop.mongod.log"));
        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err()).contains("a comparison needs what commands are judged by today: --rules FILE");
        assertThat(check("--rules", ranged, "--compare", "new", RECORDED.resolve("shop.mongod.log"))
                        .err())
                .contains("new (expected: major.minor, like 6.0)");
    }

    @Test
    void everyFieldIsDescribed() throws IOException {
        String manual = Files.readString(Repository.root().resolve("docs/rehearsal.md"));
        Set<String> paths = new TreeSet<>();
        collect(
                "",
                BsonDocument.parse(
                        json("--rules", ranged, "--compare-rules", hashed, RECORDED.resolve("shop.mongod.log"))
                                .out()),
                paths);
        collect(
                "",
                BsonDocument.parse(json(
                                "--rules",
                                YORKIE_RULES,
                                "--router-version",
                                "6.0",
                                "--compare",
                                "8.0",
                                RECORDED.resolve("yorkie.mongod.log"))
                        .out()),
                paths);
        assertThat(paths)
                .contains("changes[].before.error", "changes[].seen.first")
                .hasSizeGreaterThan(25);
        assertThat(paths)
                .allSatisfy(path -> assertThat(manual)
                        .containsPattern(
                                "(?m)^\\| [^|]*`" + java.util.regex.Pattern.quote(path) + "`[^|]* \\| \\w+ \\|"));
    }

    /** Members that hold others are described by these. */
    private static void collect(String prefix, BsonDocument document, Set<String> paths) {
        document.forEach((name, value) -> {
            if (value.isDocument()) {
                collect(prefix + name + ".", value.asDocument(), paths);
            } else if (value.isArray()) {
                value.asArray().forEach(one -> collect(prefix + name + "[].", one.asDocument(), paths));
            } else {
                paths.add(prefix + name);
            }
        });
    }
}
