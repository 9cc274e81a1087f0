package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.AuditWeek;
import io.scatterguard.tests.support.AuditWeek.Line;
import io.scatterguard.tests.support.CommandLineRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** {@code report}: every figure of a week that was made up, against counting by hand. */
@ResourceLock(Resources.SYSTEM_OUT)
class ReportTest {
    private static final List<String> SUMS =
            List.of("findings", "refused", "wouldRefuse", "exempted", "serverMicros", "shardMicros");
    private static final long LOST = 70;

    @TempDir
    private Path folder;

    private final List<Line> week = new AuditWeek(7).lines();
    private Path first = Path.of("");
    private Path firstOld = Path.of("");
    private Path second = Path.of("");

    /** Two proxies, the first with a file that was put aside; each loses something, and one line is cut off. */
    @BeforeEach
    void write() throws IOException {
        List<String> one = new ArrayList<>();
        List<String> other = new ArrayList<>();
        long seqOne = 1;
        long seqOther = 1;
        for (int i = 0; i < week.size(); i++) {
            if (i % 2 == 0) {
                one.add(AuditWeek.json(week.get(i), "proxy-1", seqOne++));
            } else {
                other.add(AuditWeek.json(week.get(i), "proxy-2", seqOther++));
            }
            if (i == 300) {
                one.add(AuditWeek.gap("proxy-1", seqOne, LOST, week.get(i).at()));
                seqOne += LOST;
            }
        }
        Collections.swap(other, 10, 40);
        other.add("{\"seq\":9999,\"ts\":\"2026-");
        other.add("INFO  started");
        firstOld = folder.resolve("one.jsonl.1.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(firstOld))) {
            out.write(text(one.subList(0, 500)).getBytes(StandardCharsets.UTF_8));
        }
        first = Files.writeString(folder.resolve("one.jsonl"), text(one.subList(500, one.size())));
        second = Files.writeString(folder.resolve("two.jsonl"), text(other));
    }

    private static String text(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }

    private static CommandLineRun report(Object... args) {
        List<String> all = new ArrayList<>(List.of("report"));
        for (Object arg : args) {
            all.add(arg.toString());
        }
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    private static BsonDocument json(CommandLineRun run) {
        assertThat(run.code()).as(run.err()).isZero();
        return BsonDocument.parse(run.out());
    }

    private static List<Long> sums(BsonDocument node) {
        return SUMS.stream().map(name -> number(node, name)).toList();
    }

    private static long number(BsonDocument node, String name) {
        return node.getNumber(name).longValue();
    }

    /** What a part says: its names, and nothing for what is not named. */
    private static Map<String, List<Long>> part(BsonDocument report, String name) {
        Map<String, List<Long>> found = new TreeMap<>();
        BsonDocument part = report.getDocument(name);
        for (BsonValue row : part.getArray("top")) {
            found.put(row.asDocument().getString("name").getValue(), sums(row.asDocument()));
        }
        found.put("", sums(part.getDocument("unnamed")));
        assertThat(number(part.getDocument("other"), "names")).isZero();
        found.values().removeIf(all -> all.stream().allMatch(sum -> sum == 0));
        return found;
    }

    private void assertParts(BsonDocument report, List<Line> lines) {
        Map<String, Function<Line, String>> parts = Map.of(
                "apps", Line::app,
                "users", Line::userName,
                "owners", Line::owner,
                "collections", Line::collection,
                "rules", Line::rule);
        parts.forEach((name, of) -> assertThat(part(report, name)).as(name).isEqualTo(AuditWeek.sums(lines, of)));
    }

    @Test
    void everyFigureIsThatOfCountingByHand() {
        CommandLineRun run = report("--report", "json", "--top", 100, "--since", "2026-11-26", first, second, firstOld);
        BsonDocument report = json(run);
        assertThat(run.err())
                .contains("two.jsonl:1011: not a whole line of JSON", "two.jsonl:1012: not a whole line of JSON");
        BsonDocument totals = report.getDocument("totals");
        assertThat(sums(totals)).isEqualTo(AuditWeek.sums(week, line -> "all").get("all"));
        assertThat(number(totals, "commands"))
                .isEqualTo(week.stream().mapToLong(Line::count).sum());
        assertThat(number(totals, "uncostedMicros"))
                .isEqualTo(week.stream()
                        .filter(line -> line.shape() == AuditWeek.COUNTED_ONLY && line.findings() > 0)
                        .mapToLong(Line::micros)
                        .sum())
                .isPositive();
        assertParts(report, week);
        assertShapes(report);
        assertDays(report);
        BsonDocument read = report.getDocument("read");
        assertThat(number(read, "records")).isEqualTo(week.size());
        assertThat(number(read, "lost")).isEqualTo(LOST);
        assertThat(read.getNumber("lostShare").doubleValue()).isEqualTo((double) LOST / (week.size() + LOST));
        assertThat(report.getDocument("period").getString("first").getValue())
                .isEqualTo(week.get(0).at().toString());
        assertThat(number(report.getDocument("shapes"), "allNew")).isZero();
    }

    private void assertShapes(BsonDocument report) {
        Map<String, List<Long>> expected = AuditWeek.sums(week, line -> AuditWeek.id(line.shape()));
        List<BsonValue> shapes = report.getDocument("shapes").getArray("top");
        assertThat(shapes).hasSize(AuditWeek.SHAPES);
        long before = Long.MAX_VALUE;
        for (BsonValue value : shapes) {
            BsonDocument seen = value.asDocument().getDocument("seen");
            List<Long> sums = expected.get(value.asDocument().getString("id").getValue());
            assertThat(number(seen, "times")).isEqualTo(sums.get(0));
            assertThat(number(seen, "refused")).isEqualTo(sums.get(1) + sums.get(2));
            assertThat(number(seen, "serverMicros")).isEqualTo(sums.get(4));
            assertThat(number(seen, "shardMicros")).isEqualTo(sums.get(5)).isLessThanOrEqualTo(before);
            before = number(seen, "shardMicros");
        }
    }

    private void assertDays(BsonDocument report) {
        Map<LocalDate, List<Long>> expected = AuditWeek.sums(week, Line::day);
        Map<LocalDate, List<Long>> found = new TreeMap<>();
        long lost = 0;
        for (BsonValue day : report.getArray("days")) {
            found.put(LocalDate.parse(day.asDocument().getString("day").getValue()), sums(day.asDocument()));
            lost += number(day.asDocument(), "lost");
        }
        assertThat(found).isEqualTo(expected).hasSize(7);
        assertThat(lost).isEqualTo(LOST);
    }

    /** Numbers out of order are not missing, and a file that is not given is. */
    @Test
    void eachProxyHasItsLosses() throws IOException {
        BsonDocument whole = json(report("--report", "json", second, first, firstOld));
        BsonDocument one = whole.getArray("sources").get(0).asDocument();
        assertThat(one.getString("instance").getValue()).isEqualTo("proxy-1");
        assertThat(number(one, "lost")).isEqualTo(LOST);
        assertThat(number(one, "missing")).isZero();
        assertThat(number(one, "repeated")).isZero();
        assertThat(number(whole.getArray("sources").get(1).asDocument(), "missing"))
                .isZero();
        List<String> lines = new ArrayList<>(Files.readAllLines(first));
        lines.subList(20, 30).clear();
        lines.add(lines.get(3));
        Files.writeString(first, text(lines));
        BsonDocument torn = json(report("--report", "json", first, firstOld));
        assertThat(number(torn.getArray("sources").get(0).asDocument(), "missing"))
                .isEqualTo(10);
        assertThat(number(torn.getArray("sources").get(0).asDocument(), "repeated"))
                .isEqualTo(1);
    }

    /** What a log says does not depend on the order of its lines, but for which record is the example. */
    @Test
    void theOrderDoesNotMatter() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < week.size(); i++) {
            lines.add(AuditWeek.json(week.get(i), "proxy-1", i + 1));
        }
        String input = text(lines);
        Collections.shuffle(lines, new Random(3));
        CommandLineRun shuffled = CommandLineRun.withInput(text(lines), "report", "--report", "json", "-");
        BsonDocument other = json(shuffled);
        BsonDocument ordered = json(CommandLineRun.withInput(input, "report", "--report", "json", "-"));
        for (String part :
                List.of("period", "totals", "apps", "users", "owners", "collections", "rules", "days", "exemptions")) {
            assertThat(other.get(part)).as(part).isEqualTo(ordered.get(part));
        }
    }

    @Test
    void daysAndNamespacesNarrowIt() {
        CommandLineRun run = report(
                "--report",
                "json",
                "--from",
                "2026-11-25",
                "--until",
                "2026-11-26",
                "--namespace",
                "shop.c1",
                "--top",
                100,
                first,
                second,
                firstOld);
        BsonDocument report = json(run);
        List<Line> lines = week.stream()
                .filter(line -> line.day().toString().matches("2026-11-2[56]"))
                .filter(line -> line.collection().equals("shop.c1"))
                .toList();
        assertThat(part(report, "apps")).isEqualTo(AuditWeek.sums(lines, Line::app));
        assertThat(number(report.getDocument("read"), "outside")).isEqualTo(week.size() - lines.size());
        assertThat(number(report.getDocument("read"), "lost")).isZero();
    }

    /** What is not listed is in the sums all the same. */
    @Test
    void theRestIsInOneSum() {
        BsonDocument apps = json(report("--report", "json", "--top", 1, first, second, firstOld))
                .getDocument("apps");
        List<Long> top = sums(apps.getArray("top").get(0).asDocument());
        List<Long> other = sums(apps.getDocument("other"));
        List<Long> all = AuditWeek.sums(week, line -> "all").get("all");
        for (int i = 0; i < all.size(); i++) {
            assertThat(top.get(i) + other.get(i)).isEqualTo(all.get(i));
        }
        assertThat(number(apps.getDocument("other"), "names")).isEqualTo(2);
    }

    @Test
    void exemptionsAreCountedAndTheirEndsAreNamed() throws IOException {
        LocalDate today = LocalDate.now(java.time.Clock.systemUTC());
        Path config = Files.writeString(folder.resolve("scatterguard.yaml"), """
                listeners: [{upstream: {hosts: [a]}}]
                policy:
                  exemptions:
                    - {id: nightly, match: {appName: a}, until: %s, owner: billing}
                    - {id: over, match: {appName: b}, until: %s}
                    - {id: later, match: {appName: c}, until: %s}
                """.formatted(
                        today.plusDays(10), today.minusDays(10), today.plusDays(40)));
        BsonDocument exemptions = json(report("--report", "json", "--config", config, first, second, firstOld))
                .getDocument("exemptions");
        Map<String, String> states = new TreeMap<>();
        Map<String, Long> times = new TreeMap<>();
        for (BsonValue value : exemptions.getArray("all")) {
            BsonDocument one = value.asDocument();
            String id = one.getString("id").getValue();
            states.put(id, one.containsKey("state") ? one.getString("state").getValue() : "none");
            times.put(id, number(one, "times"));
        }
        assertThat(states)
                .isEqualTo(Map.of(
                        "nightly",
                        "expiring",
                        "over",
                        "expired",
                        "later",
                        "active",
                        "migration",
                        "none",
                        "reindex",
                        "none"));
        long nightly = week.stream()
                .filter(line -> line.shape() % 2 == 0)
                .mapToLong(Line::exempted)
                .sum();
        assertThat(times).containsEntry("nightly", nightly).containsEntry("over", 0L);
        assertThat(times.values().stream().mapToLong(one -> one).sum() + number(exemptions, "unnamed"))
                .isEqualTo(week.stream().mapToLong(Line::exempted).sum());
        assertThat(report("-c", config, first).out())
                .contains("1 about to expire", "expired, not used", "not in the configuration");
    }
}
