package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.RawCatalog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The files of {@code explain}: a line for each input, a count at the end, and an exit code. */
class ExplainCheckTest {
    private static final String RIGHT = "{id: 'r', unsharded: true, shardKey: {a: 1}, primaryShard: 'x', "
            + "command: {find: 'c'}, expectShards: ['x']}";
    private static final String WRONG = "{id: 'w', unsharded: true, shardKey: {a: 1}, primaryShard: 'x', "
            + "command: {find: 'c'}, expectShards: ['y']}";
    private static final String NEWER = "{id: 'n', versions: '>=8.0', unsharded: true, shardKey: {a: 1}, "
            + "primaryShard: 'x', command: {find: 'c'}, expectShards: ['x']}";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new ExplainCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private Path file(String... lines) throws IOException {
        return Files.write(Files.createTempFile(folder, "lines", ".jsonl"), List.of(lines));
    }

    private Path dump() throws IOException {
        RawCatalog catalog = new RawCatalog(
                List.of(BsonDocument.parse("{_id: 'x'}")),
                List.of(BsonDocument.parse("{_id: 'd', primary: 'x'}")),
                List.of(),
                List.of());
        Path path = folder.resolve("dump.json");
        try (PrintWriter writer = new PrintWriter(path.toFile(), java.nio.charset.StandardCharsets.UTF_8)) {
            CatalogDump.write(catalog, writer);
        }
        return path;
    }

    private void assertCounted(String counts) {
        List<String> lines = out.toString().lines().toList();
        assertThat(BsonDocument.parse(lines.get(lines.size() - 1))).isEqualTo(BsonDocument.parse(counts));
    }

    private List<String> ids() {
        List<String> lines = out.toString().lines().toList();
        return lines.subList(0, lines.size() - 1).stream()
                .map(line -> BsonDocument.parse(line).getString("id").getValue())
                .toList();
    }

    @Test
    void allAgree() throws IOException {
        assertThat(run("--vectors", file(RIGHT, "", RIGHT).toString())).isZero();
        assertThat(ids()).containsExactly("r", "r");
        assertCounted("{checked: 2, agree: 2, disagree: 0, nothingExpected: 0, skipped: 0, unreadable: 0}");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void oneDisagreementFails() throws IOException {
        assertThat(run("--vectors", file(RIGHT, WRONG, RIGHT).toString())).isEqualTo(1);
        assertThat(ids()).containsExactly("r", "w", "r");
        assertCounted("{checked: 3, agree: 2, disagree: 1, nothingExpected: 0, skipped: 0, unreadable: 0}");
        assertThat(out.toString()).contains("\"agree\":false").contains("[y] expected");
    }

    @Test
    void aLineThatCannotBeReadIsNamedAndTheOthersAreChecked() throws IOException {
        Path file = file(RIGHT, "{id: ", WRONG);
        assertThat(run("--vectors", file.toString())).isEqualTo(2);
        assertThat(ids()).containsExactly("r", "w");
        assertCounted("{checked: 2, agree: 1, disagree: 1, nothingExpected: 0, skipped: 0, unreadable: 1}");
        assertThat(err.toString()).startsWith(file + ":2: ");
    }

    @Test
    void whatDoesNotHoldForTheVersionIsSkipped() throws IOException {
        String file = file(RIGHT, NEWER).toString();
        assertThat(run("--vectors", file, "--router-version", "6.3")).isZero();
        assertThat(ids()).containsExactly("r", "n");
        assertCounted("{checked: 1, agree: 1, disagree: 0, nothingExpected: 0, skipped: 1, unreadable: 0}");
    }

    @Test
    void recordedCommandsAreCheckedOnADump() throws IOException {
        Path commands = file(
                "{id: '1', ns: 'd.c', command: {find: 'c'}, shards: ['x']}",
                "{id: '2', ns: 'd.c', command: {find: 'c'}}",
                "{id: '3', ns: 'd.c', command: {find: 'c'}, shards: []}");
        assertThat(run("--catalog", dump().toString(), "--commands", commands.toString()))
                .isEqualTo(1);
        assertThat(ids()).containsExactly("1", "2", "3");
        assertCounted("{checked: 3, agree: 1, disagree: 1, nothingExpected: 1, skipped: 0, unreadable: 0}");
    }

    @Test
    void aFileThatCannotBeReadIsNamed() throws IOException {
        Path missing = folder.resolve("missing");
        assertThat(run("--vectors", missing.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith(missing + ": cannot be read");
        assertThat(run(
                        "--catalog",
                        file("{}").toString(),
                        "--commands",
                        file(RIGHT).toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("not a catalog dump");
    }

    @Test
    void bytesThatAreNotTextAreNamed() throws IOException {
        Path file = Files.write(folder.resolve("bytes"), new byte[] {'{', (byte) 0xff, '}', '\n'});
        assertThat(run("--vectors", file.toString())).isEqualTo(2);
        assertThat(err.toString()).isEqualToIgnoringNewLines(file + ": not UTF-8");
    }

    @Test
    void theOptionsBelongTogether() throws IOException {
        String file = file(RIGHT).toString();
        assertThat(run("--vectors", file, "--commands", file)).isEqualTo(2);
        assertThat(run("--commands", file)).isEqualTo(2);
        assertThat(run()).isEqualTo(2);
        assertThat(run("--vectors", file, "--router-version", "new")).isEqualTo(2);
        assertThat(err.toString()).contains("--router-version: new (expected: major.minor, like 6.0)");
    }
}
