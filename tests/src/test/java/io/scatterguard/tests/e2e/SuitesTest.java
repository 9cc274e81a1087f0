package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.ExecProcess;
import io.scatterguard.tests.support.ExecRun;
import io.scatterguard.tests.support.ReportSchemas;
import io.scatterguard.tests.support.SuiteApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Test suites of real applications, by three libraries, under {@code exec}. */
@ResourceLock(Resources.SYSTEM_OUT)
class SuitesTest {
    private static final int FINDINGS = 61;

    /** The same query has the same id, whichever library sends it. */
    private static final String ID = "d275e5fc0abe3b4d";

    private static final String SHAPE = "find {filter: {status: ?string}}";

    /** What the planted query looks for. */
    private static final String VALUE = "returned-4711";

    @TempDir
    private Path folder;

    private Path audit;

    @BeforeEach
    void where() {
        audit = folder.resolve("audit.jsonl");
    }

    private ExecRun run(SuiteApp app, String[] suites, Object... options) {
        app.assumeAvailable();
        ExecProcess.Setup exec = ExecProcess.in(folder)
                .options("--config", SuiteApp.config(), "--report", "json", "--audit", audit)
                .options("--report", "junit=" + folder.resolve("findings.xml"))
                .options("--report", "sarif=" + folder.resolve("findings.sarif"))
                .options("--report", "html=" + folder.resolve("findings.html"))
                .options(options);
        app.environment().forEach(exec::variable);
        return exec.run(suites);
    }

    private static int total(BsonDocument report, String name) {
        return report.getDocument("totals").getNumber(name).intValue();
    }

    private static Set<String> texts(BsonDocument document, String field) {
        Set<String> texts = new TreeSet<>();
        document.getArray(field).forEach(text -> texts.add(text.asString().getValue()));
        return texts;
    }

    /** What {@code check} says of the records of the same run: every field of it. */
    private void assertTheSameOf(BsonDocument report, int code) {
        CommandLineRun checked = CommandLineRun.of("check", "--report", "json", audit.toString());
        assertThat(checked.code()).as(checked.err()).isEqualTo(code);
        assertThat(BsonDocument.parse(checked.out())).isEqualTo(report);
    }

    /** The files for other programs are what these expect. They name {@code ids}, and nothing that was looked for. */
    private void assertReportsAreValid(String... ids) throws IOException {
        String junit = Files.readString(folder.resolve("findings.xml"));
        String sarif = Files.readString(folder.resolve("findings.sarif"));
        String html = Files.readString(folder.resolve("findings.html"));
        assertThat(ReportSchemas.wrongJUnit(junit)).isEmpty();
        assertThat(ReportSchemas.wrongSarif(sarif)).isEmpty();
        assertThat(html).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
        for (String report : List.of(junit, sarif, html)) {
            assertThat(report).doesNotContain(VALUE);
            List.of(ids).forEach(id -> assertThat(report).contains(id));
        }
        assertThat(junit.contains("<failure")).isEqualTo(ids.length > 0);
    }

    @ParameterizedTest
    @EnumSource
    void aBroadcastFailsTheRunAndIsNamedWithItsTest(SuiteApp app) throws IOException {
        ExecRun run = run(app, app.planted());
        assertThat(run.code()).as(run.output()).isEqualTo(FINDINGS);
        BsonArray findings = run.report().getArray("findings");
        assertThat(findings).as(run.output()).hasSize(1);
        BsonDocument finding = findings.get(0).asDocument();
        assertThat(finding.getString("id").getValue()).isEqualTo(ID);
        assertThat(finding.getString("kind").getValue()).isEqualTo("scatter-gather");
        assertThat(finding.getString("namespace").getValue()).isEqualTo("shop.orders");
        assertThat(finding.getString("shape").getValue()).isEqualTo(SHAPE);
        assertThat(finding.getArray("keyFields"))
                .isEqualTo(BsonArray.parse("[{field: 'customerId'}, {field: 'orderId'}]"));
        assertThat(finding.getDocument("shards")).isEqualTo(BsonDocument.parse("{count: 3, total: 3, exact: true}"));
        assertThat(finding.getString("owner").getValue()).isEqualTo("shop-team");
        assertThat(finding.getString("hint").getValue()).contains(hint(app)).contains("customerId");
        assertThat(texts(finding.getDocument("clients"), "tests")).containsExactlyElementsOf(tests(app));
        assertThat(texts(finding.getDocument("clients"), "apps"))
                .allSatisfy(name -> assertThat(name).startsWith("shop-"));
        assertThat(run.err()).doesNotContain(VALUE);
        assertThat(Files.readString(audit)).doesNotContain(VALUE);
        assertTheSameOf(run.report(), FINDINGS);
        assertReportsAreValid(ID);
    }

    private static String hint(SuiteApp app) {
        return switch (app) {
            case SPRING_DATA -> "@Sharded(shardKey = {\"customerId\", \"orderId\"})";
            case MONGOOSE -> "mongoose: set the schema's option shardKey: {customerId: 1, orderId: 1}";
            case PYMONGO -> "PyMongo: ";
        };
    }

    private static List<String> tests(SuiteApp app) {
        return switch (app) {
            case SPRING_DATA -> List.of("SearchSuite#returnedOrdersAreListed", "SearchSuite#returnedOrdersAreQueried");
            case MONGOOSE -> List.of("returned-orders-are-listed");
            case PYMONGO -> List.of("test_search.SearchTest.test_returned_orders_are_listed");
        };
    }

    @ParameterizedTest
    @EnumSource
    void anExemptedBroadcastIsCountedAndFailsNothing(SuiteApp app) throws IOException {
        ExecRun run = run(app, app.exempted());
        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.report().getArray("findings")).isEmpty();
        assertThat(total(run.report(), "exempted")).isEqualTo(1);
        assertTheSameOf(run.report(), 0);
        assertReportsAreValid();
    }

    @ParameterizedTest
    @EnumSource
    void aCleanRunHasNothingToSay(SuiteApp app) throws IOException {
        ExecRun run = run(app, app.clean());
        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.report().getArray("findings")).isEmpty();
        assertThat(total(run.report(), "exempted")).isZero();
        assertThat(total(run.report(), "commands")).isGreaterThan(5);
        assertThat(run.err()).doesNotContain("no rule");
        assertTheSameOf(run.report(), 0);
        assertReportsAreValid();
    }

    /** The very test fails, with the library's own exception, and the runner's code comes back. */
    @ParameterizedTest
    @EnumSource
    void inEnforceModeTheTestFailsItself(SuiteApp app) {
        ExecRun run = run(app, app.planted(), "--mode", "enforce");
        assertThat(run.code()).as(run.output()).isEqualTo(1);
        assertThat(run.out() + run.err()).contains("61001");
        BsonDocument finding = run.report().getArray("findings").get(0).asDocument();
        assertThat(finding.getString("id").getValue()).isEqualTo(ID);
        assertThat(finding.getDocument("seen").get("refused"))
                .isEqualTo(finding.getDocument("seen").get("times"));
    }
}
