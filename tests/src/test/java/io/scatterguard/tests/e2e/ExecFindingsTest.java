package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.ExecProcess;
import io.scatterguard.tests.support.ExecRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec}: what is a finding, which of them fail a run, and what a suite learns of them between tests. */
class ExecFindingsTest {
    private static final int FINDINGS = 61;
    private static final String BROADCAST = "'{find: \"orders\", filter: {status: \"s3cret\"}}'";
    private static final String POINT = "'{find: \"orders\", filter: {customerId: 7}}'";

    @TempDir
    private Path folder;

    private Path rules;

    @BeforeEach
    void declare() throws IOException {
        rules = file("rules.yaml", "shardingRules: [{namespace: shop.orders, key: {customerId: 1}, shards: 3}]\n");
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private ExecProcess.Setup exec() {
        return ExecProcess.in(folder).options("--rules", rules);
    }

    private ExecRun client(ExecProcess.Setup setup, String arguments) {
        return setup.sh("\"$CLIENT\" " + arguments);
    }

    @Test
    void aBroadcastIsToldOnStandardErrorWithoutItsValues() {
        ExecRun run = client(exec(), BROADCAST + " " + BROADCAST);
        assertThat(run.code()).as(run.output()).isEqualTo(FINDINGS);
        assertThat(run.out()).as("everything passes").isEqualTo("ok\nok\n");
        assertThat(run.err())
                .containsPattern("(?m)^[0-9a-f]{16} new scatter-gather shop\\.orders find$")
                .contains("find {filter: {status: ?string}}")
                .contains("✗ customerId missing")
                .contains("3 of 3 shards, 2 times, refused or to be refused 2")
                .doesNotContain("s3cret");
        assertThat(client(exec().options("--fail-on", "none"), BROADCAST).code())
                .isZero();
    }

    @Test
    void collectionsWithoutARuleAreListed() {
        String others = " '{insert: \"carts\", documents: [{a: 1}]}' '{find: \"carts\"}' '{find: \"stock\"}'";
        ExecRun run = client(exec(), POINT + others);
        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.err()).contains("scatterguard: no rule, so not judged: shop.carts (2), shop.stock (1)\n");
        assertThat(client(ExecProcess.in(folder), POINT).err()).contains("not judged: shop.orders (1)\n");
    }

    /** What a library does at its start goes everywhere by its nature, and shows nothing of queries. */
    @Test
    void whereNoQueryWasJudgedItFails() {
        String start = " '{createIndexes: \"carts\", indexes: [{key: {a: 1}, name: \"a\"}]}' '{listCollections: 1}'";
        ExecRun run = client(exec(), start + " '{find: \"carts\", filter: {a: 1}}'");
        assertThat(run.code()).as(run.output()).isEqualTo(2);
        assertThat(run.err())
                .contains("scatterguard: nothing was judged: no command on a collection with a shard key came")
                .contains("scatterguard: a rule, but no command: shop.orders\n");
        assertThat(client(exec().options("--fail-on", "none"), start).code()).isZero();
        assertThat(client(exec(), start + " " + POINT).code()).isZero();
    }

    /** The very call fails, and the command's own code comes back. */
    @Test
    void inEnforceModeTheCommandGetsTheError() {
        ExecRun run = client(exec().options("--mode", "enforce"), BROADCAST + " " + POINT);
        assertThat(run.out()).as(run.output()).isEqualTo("61001\nok\n");
        assertThat(run.code()).isEqualTo(9);
        assertThat(run.err()).contains(" new scatter-gather shop.orders find\n");
        ExecRun caught = exec().options("--mode", "enforce").sh("\"$CLIENT\" " + BROADCAST + " || true");
        assertThat(caught.code()).as(caught.output()).isEqualTo(FINDINGS);
    }

    @Test
    void whatIsInTheBaselineFailsNothing() throws IOException {
        ExecRun first = client(exec().options("--report", "json"), BROADCAST);
        BsonDocument finding = first.report().getArray("findings").get(0).asDocument();
        Path baseline =
                file("baseline.yaml", """
                baseline:
                  - { id: %s, namespace: shop.orders, shape: "x", count: 1, owner: shop }
                """.formatted(finding.getString("id").getValue()));
        ExecRun known = client(exec().options("--baseline", baseline, "--mode", "enforce"), BROADCAST);
        assertThat(known.code()).as(known.output()).isZero();
        assertThat(known.out()).isEqualTo("ok\n");
        assertThat(known.err())
                .contains(" known scatter-gather shop.orders find\n")
                .contains("0 new, 1 known");
        assertThat(client(exec().options("--baseline", baseline, "--fail-on", "any"), BROADCAST)
                        .code())
                .isEqualTo(FINDINGS);
        String another = " '{find: \"orders\", filter: {total: 3}}'";
        ExecRun more = client(exec().options("--baseline", baseline), BROADCAST + another);
        assertThat(more.code()).as(more.output()).isEqualTo(FINDINGS);
        assertThat(more.err()).contains("1 new, 1 known");
    }

    /** One run, three tests, each told by itself what it did. */
    @Test
    void betweenTwoTestsASuiteAsksAndResets() {
        String path = "/api/v1/findings";
        ExecRun run = client(
                exec().options("--api"),
                BROADCAST + " GET " + path + " POST " + path + "/reset GET " + path + " " + POINT + " GET " + path);
        assertThat(run.code()).as(run.output()).isEqualTo(FINDINGS);
        List<String> lines = run.out().lines().toList();
        BsonDocument before = BsonDocument.parse(lines.get(1));
        assertThat(before.getArray("findings")).hasSize(1);
        assertThat(BsonDocument.parse(lines.get(2))).containsKey("cleared");
        assertThat(BsonDocument.parse(lines.get(3)).getArray("findings")).isEmpty();
        assertThat(BsonDocument.parse(lines.get(5)).getArray("findings")).isEmpty();
        assertThat(run.err())
                .as("the report is about the whole run")
                .contains(" new scatter-gather shop.orders find\n");
        ExecRun without = exec().sh("echo ${SCATTERGUARD_API:-none} ${SCATTERGUARD_TOKEN:-none}");
        assertThat(without.out()).isEqualTo("none none\n");
    }

    @Test
    void itEndsOnlyWhenEveryRecordIsCounted() {
        String many = "i=0; set --; while [ $i -lt 300 ]; do set -- \"$@\" " + BROADCAST + "; i=$((i+1)); done;";
        ExecRun run = exec().options("--report", "json").sh(many + " \"$CLIENT\" \"$@\" > /dev/null");
        assertThat(run.code()).as(run.output()).isEqualTo(FINDINGS);
        BsonDocument seen =
                run.report().getArray("findings").get(0).asDocument().getDocument("seen");
        assertThat(seen.getNumber("times").intValue()).isEqualTo(300);
    }
}
