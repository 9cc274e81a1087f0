package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.AuditLines;
import io.scatterguard.tests.support.AuditWeek;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.Repository;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** {@code report}: what it reads, what it refuses to read, and what its page in the documentation says of it. */
@ResourceLock(Resources.SYSTEM_OUT)
class ReportInputsTest {
    private static final String SECRET = "sesame";

    @TempDir
    private Path folder;

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static CommandLineRun report(Object... args) {
        List<String> all = new ArrayList<>(List.of("report"));
        Arrays.stream(args).map(Object::toString).forEach(all::add);
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    private static String line(int at, long seq) {
        return AuditWeek.json(new AuditWeek(1).lines().get(at), "proxy-1", seq) + "\n";
    }

    @Test
    void whatAProxyWroteIsReported() throws IOException {
        AuditLines sink = new AuditLines();
        try (ScriptedMongos mongos = ScriptedMongos.start().withData();
                ProxyUnderTest proxy =
                        ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard().withSink(sink));
                MongoClient client = proxy.driver()) {
            var orders = client.getDatabase("shop").getCollection("orders");
            orders.find(Filters.eq("customerId", 7)).first();
            orders.find(Filters.eq("status", SECRET))
                    .comment("scatterguard:allow=nightly")
                    .first();
            for (int i = 0; i < 3; i++) {
                try {
                    orders.find(Filters.eq("status", SECRET)).first();
                } catch (MongoCommandException refused) {
                    assertThat(refused.getErrorCode()).isEqualTo(61_001);
                }
            }
        }
        Path audit = file("audit.jsonl", String.join("", sink.lines()));
        CommandLineRun run = report("--report", "json", audit);
        assertThat(run.code()).as(run.err()).isZero();
        BsonDocument report = BsonDocument.parse(run.out());
        BsonDocument totals = report.getDocument("totals");
        assertThat(totals.getNumber("refused").intValue()).isEqualTo(3);
        assertThat(totals.getNumber("findings").intValue()).isEqualTo(3);
        assertThat(totals.getNumber("commands").intValue())
                .isEqualTo(sink.lines().size());
        BsonDocument app = report.getDocument("apps").getArray("top").get(0).asDocument();
        assertThat(app.getString("name").getValue()).isEqualTo("tests");
        assertThat(report.getArray("sources")
                        .get(0)
                        .asDocument()
                        .getNumber("missing")
                        .intValue())
                .isZero();
        for (String format : List.of("text", "html")) {
            CommandLineRun other = report("--report", format, audit);
            assertThat(other.out()).contains("shop.orders", "no-broadcast").doesNotContain(SECRET);
        }
        // The same shapes, with the same figures, as check finds in it.
        BsonDocument check = BsonDocument.parse(
                CommandLineRun.of("check", "--report", "json", audit.toString()).out());
        assertThat(report.getDocument("shapes")
                        .getArray("top")
                        .get(0)
                        .asDocument()
                        .get("seen"))
                .isEqualTo(check.getArray("findings").get(0).asDocument().get("seen"));
    }

    /** Names come from outside, and a terminal, a page and a table stay what they are. */
    @Test
    void hostileNamesAreShownAndDoNothing() throws IOException {
        String evil = "<script>alert(1)</script>\\u001b[31m\\u202e\\nx|&\\\"'";
        Path audit = file(
                "audit.jsonl",
                line(0, 1)
                        .replace("\"app\":\"checkout\"", "\"app\":\"" + evil + "\"")
                        .replace("\"user\":\"alice\"", "\"user\":\"" + "u".repeat(5_000) + "\"")
                        .replace("proxy-1", evil)
                        .replace("?number", evil));
        String text = report(audit).out();
        assertThat(text).contains("\\u001b[31m\\u202e\\u000ax").doesNotContain("\u001b", "\u202e");
        String html = report("--report", "html", audit).out();
        assertThat(html)
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;\\u001b")
                .doesNotContain("<script", "\u001b", "\u202e", "style=", "u".repeat(300));
        String json = report("--report", "json", audit).out();
        assertThat(json).doesNotContain("\u001b", "\u202e");
        assertThat(BsonDocument.parse(json)
                        .getDocument("apps")
                        .getArray("top")
                        .get(0)
                        .asDocument())
                .containsEntry("name", new org.bson.BsonString("<script>alert(1)</script>\u001b[31m\u202e\nx|&\"'"));
    }

    @Test
    void thePageHasItsChartsWithoutScripts() throws IOException {
        Path audit = file("audit.jsonl", line(0, 1) + line(900, 2) + line(1500, 3));
        Path page = folder.resolve("week.html");
        CommandLineRun run = report("--report", "html", "--output", page, audit);
        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("-> " + page);
        String html = Files.readString(page);
        assertThat(html)
                .contains("role=\"img\" aria-label=\"Findings and exempted commands per day, 2026-11-23 to 20")
                .contains("role=\"img\" aria-label=\"Cost per day, ")
                .contains("<title>2026-11-23; refused: 0; logged: 1; exempted: 0</title>")
                .contains("class=\"bar\"", "<h2>Shapes by cost</h2>")
                .doesNotContain("<script", "src=", "style=");
        assertThat(html).doesNotContain("New since");
        assertThat(report("--report", "html", "--since", "2026-11-24", audit).out())
                .contains("<h2>New since 2026-11-24</h2>");
    }

    @Test
    void whatCannotBeReadIsSaid() throws IOException {
        Path none = file("none.jsonl", "INFO started\n{\"seq\":true}\n{\"t\":1}\n[]\n7\n\nx\n");
        CommandLineRun nothing = report(none);
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err())
                .contains("none.jsonl:1: not a whole line of JSON", "none.jsonl:2: no audit record")
                .contains("and 1 more lines that cannot be read", "no audit record in ");
        Path log = file("audit.jsonl", line(0, 1) + "\r\n" + line(1, 2).replace("\n", "\r\n"));
        assertThat(report(none, log).code()).isZero();
        Path twice = file("copy.jsonl", line(0, 1));
        assertThat(report(log, twice).code()).isEqualTo(2);
        assertThat(report(log, twice).err()).contains("copy.jsonl: begins with the same record as ");
        assertThat(report(folder.resolve("gone")).code()).isEqualTo(2);
        assertThat(report("--top", 0, log).code()).isEqualTo(2);
        assertThat(report("--from", "2026-11-25", "--until", "2026-11-24", log).err())
                .contains("--until 2026-11-24 (expected: 2026-11-25");
        assertThat(report("--since", "monday", log).code()).isEqualTo(2);
    }

    /** What a file that is cut off has is reported, and the exit code says that there was more. */
    @Test
    void ofAFileThatIsCutOffTheRestIsReported() throws IOException {
        StringBuilder lines = new StringBuilder();
        List<AuditWeek.Line> week = new AuditWeek(1).lines();
        for (int i = 0; i < week.size(); i++) {
            lines.append(AuditWeek.json(week.get(i), "proxy-1", i + 1)).append('\n');
        }
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        }
        Path cut = Files.write(folder.resolve("cut.gz"), Arrays.copyOf(zipped.toByteArray(), zipped.size() / 2));
        CommandLineRun run = report("--report", "json", cut);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("cut.gz:").contains("cannot be read any further (EOFException)");
        assertThat(BsonDocument.parse(run.out())
                        .getDocument("read")
                        .getNumber("records")
                        .intValue())
                .isBetween(1, week.size() - 1);
    }

    /** Every field of a report stands in its table, and every row of the table is a field. */
    @Test
    void thePageOfTheDocumentationNamesEveryField() throws IOException {
        Path config = file(
                "scatterguard.yaml",
                "listeners: [{upstream: {hosts: [a]}}]\npolicy: {exemptions: [{id: nightly, match: {appName: x}, owner: o,"
                        + " until: 2999-01-01}]}\n");
        StringBuilder lines = new StringBuilder(line(0, 1).replace("\"reason\":\"rule\"", "\"reason\":\"malformed\""));
        List<AuditWeek.Line> week = new AuditWeek(1).lines();
        for (int i = 1; i < 300; i++) {
            lines.append(AuditWeek.json(week.get(i), "proxy-1", i + 1)).append('\n');
        }
        Path audit = file("audit.jsonl", lines.toString());
        CommandLineRun run = report("--report", "json", "--since", "2026-11-01", "--config", config, audit);
        Set<String> found = new TreeSet<>();
        fields("", BsonDocument.parse(run.out()), found);
        Set<String> documented = new TreeSet<>();
        String page = Files.readString(Repository.root().resolve("docs/report.md"));
        Matcher rows =
                Pattern.compile("(?m)^\\| (`[a-zA-Z][^|]*`) \\| [a-z ]+ \\|").matcher(page);
        while (rows.find()) {
            for (String name : rows.group(1).split(", ", -1)) {
                documented.add(name.replace("`", "").replace("[]", ""));
            }
        }
        assertThat(documented).containsAll(found);
        assertThat(found).containsAll(documented);
    }

    private static void fields(String path, BsonDocument node, Set<String> found) {
        for (String name : node.keySet()) {
            String whole = path.isEmpty() ? name : path + "." + name;
            BsonValue value = node.get(name);
            if (Set.of("findings", "refused", "wouldRefuse", "exempted", "serverMicros", "shardMicros")
                            .contains(name)
                    && !path.startsWith("exemptions")) {
                found.add("SUMS." + name);
            } else if (Set.of("shapes.top", "shapes.new").contains(whole)) {
                found.add(whole);
                List.of("share", "perHour", "busyShards").forEach(own -> {
                    assertThat(value.asArray().get(0).asDocument()).containsKey(own);
                    found.add("shapes.top." + own);
                });
            } else if (Set.of("apps", "users", "owners", "collections", "rules").contains(whole)) {
                found.add(whole);
                fields("PART", value.asDocument(), found);
            } else if (value.isArray() && !value.asArray().isEmpty()) {
                value.asArray().forEach(one -> fields(whole, one.asDocument(), found));
            } else if (value.isDocument()) {
                if (path.equals("PART")) {
                    found.add(whole);
                }
                fields(whole, value.asDocument(), found);
            } else if (!value.isArray()) {
                found.add(whole);
            }
        }
    }

    @Test
    void thePageOfTheDocumentationNamesEveryOption() throws IOException {
        String page = Files.readString(Repository.root().resolve("docs/report.md"));
        Matcher options = Pattern.compile("--[a-z]+")
                .matcher(CommandLineRun.of("report", "--help").out());
        Set<String> named = new TreeSet<>();
        while (options.find()) {
            named.add(options.group());
        }
        assertThat(named).contains("--since", "--top");
        named.removeAll(Set.of("--help", "--version"));
        assertThat(named).allSatisfy(option -> assertThat(page).contains("`" + option));
    }
}
