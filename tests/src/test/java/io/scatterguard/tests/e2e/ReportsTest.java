package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.ReportSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --report}: the findings of a run in several formats, each valid and each in its place. */
@ResourceLock(Resources.SYSTEM_OUT)
class ReportsTest {
    private static final int FINDINGS = 61;

    @TempDir
    private Path folder;

    private Path rules;
    private Path broadcast;
    private Path targeted;

    @BeforeEach
    void declare() throws IOException {
        rules = Files.writeString(
                folder.resolve("rules.yaml"),
                "shardingRules: [{namespace: shop.orders, key: {region: 1, userId: 1}, shards: 3}]\n");
        broadcast = Files.writeString(
                folder.resolve("broadcast.txt"), "{find: 'orders', filter: {userId: 7}, $db: 'shop'}\n");
        targeted = Files.writeString(
                folder.resolve("targeted.txt"), "{find: 'orders', filter: {region: 'eu', userId: 7}, $db: 'shop'}\n");
    }

    private CommandLineRun check(Path commands, String... options) {
        List<String> all = new ArrayList<>(List.of("check", "--rules", rules.toString()));
        all.addAll(List.of(options));
        all.add(commands.toString());
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void eachGoesToItsFileAndOneToStandardOutput() throws IOException {
        CommandLineRun run = check(
                broadcast,
                "--report",
                "text",
                "--report",
                "junit=" + file("target/new/findings.xml"),
                "--report=SARIF=" + file("findings.sarif"),
                "--report",
                "html=" + file("findings.html"),
                "--report",
                "json=" + file("findings.json"));
        assertThat(run.code()).isEqualTo(FINDINGS);
        assertThat(run.err()).contains("1 findings -> " + file("target/new/findings.xml"));
        String id = BsonDocument.parse(read("findings.json"))
                .getArray("findings")
                .get(0)
                .asDocument()
                .getString("id")
                .getValue();
        assertThat(run.out()).startsWith(id + " new scatter-gather shop.orders find\n");
        assertThat(ReportSchemas.wrongJUnit(read("target/new/findings.xml"))).isEmpty();
        assertThat(read("target/new/findings.xml")).contains("<failure", id);
        assertThat(ReportSchemas.wrongSarif(read("findings.sarif"))).isEmpty();
        assertThat(read("findings.sarif")).contains("\"scatterguardShape/v1\" : \"" + id + "\"");
        assertThat(read("findings.html")).startsWith("<!DOCTYPE html>").contains("finding-" + id);
    }

    @Test
    void aCleanRunIsValidInEveryFormatAndHasATestThatPasses() throws IOException {
        CommandLineRun run = check(
                targeted,
                "--report",
                "junit=" + file("clean.xml"),
                "--report",
                "sarif",
                "--output",
                file("clean.sarif"));
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(ReportSchemas.wrongJUnit(read("clean.xml"))).isEmpty();
        assertThat(read("clean.xml")).contains("tests=\"1\" failures=\"0\"", "name=\"commands judged\"");
        assertThat(ReportSchemas.wrongSarif(read("clean.sarif"))).isEmpty();
    }

    /** The exit code and the failures of the file say the same. */
    @Test
    void whatIsAFailureIsOneInJUnitToo() {
        assertThat(check(broadcast, "--report", "junit").out()).contains("<failure");
        CommandLineRun lenient = check(broadcast, "--report", "junit", "--fail-on", "none");
        assertThat(lenient.code()).isZero();
        assertThat(lenient.out()).doesNotContain("<failure").contains("<skipped>new scatter-gather</skipped>");
    }

    /** The schemas would notice. */
    @Test
    void theSchemasRefuseWhatIsNoReport() throws IOException {
        check(broadcast, "--report", "junit=" + file("f.xml"), "--report", "sarif=" + file("f.sarif"));
        assertThat(ReportSchemas.wrongJUnit(read("f.xml").replace("<failure", "<fault")))
                .isNotEmpty();
        assertThat(ReportSchemas.wrongJUnit(read("f.xml").replace(" tests=\"1\"", "")))
                .isNotEmpty();
        assertThat(ReportSchemas.wrongSarif(
                        read("f.sarif").replace("\"unchanged\"", "\"old\"").replace("\"new\",", "\"fresh\",")))
                .isNotEmpty();
        assertThat(ReportSchemas.wrongSarif(read("f.sarif").replace("\"ruleId\"", "\"rule\"")))
                .isNotEmpty();
        assertThat(ReportSchemas.wrongSarif(read("f.sarif").replace("\"uri\" : \"", "\"uri\" : \"a b")))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--report xml | no format \"xml\" (expected: one of text, json, junit, sarif, html)",
                "--report junit= | \"\" is no file name (expected: FORMAT=FILE",
                "--report text --report json | --report json and --report text: go to the same place",
                "--report text --report json=- | --report json and --report text: go to the same place",
                "--report text=F --report json=./F | go to the same place",
                "--report json=F --report text --output F | go to the same place",
                "--report json=F --output G | --output G: no report goes there"
            })
    void wrongUseIsSaidBeforeAnythingIsRead(String row) {
        String[] parts = row.split(" \\| ", 2);
        CommandLineRun run = check(folder.resolve("not-there"), parts[0].split(" ", -1));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(parts[1]);
    }

    /** The other report is written all the same. */
    @Test
    void aFileThatCannotBeWrittenCostsItself() throws IOException {
        Files.createDirectories(folder.resolve("taken"));
        CommandLineRun run =
                check(broadcast, "--report", "junit=" + file("taken"), "--report", "html=" + file("findings.html"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("--report " + file("taken") + ": cannot be written");
        assertThat(read("findings.html")).contains("<article");
    }
}
