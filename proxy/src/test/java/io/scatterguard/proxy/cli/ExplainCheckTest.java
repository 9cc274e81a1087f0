package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.RawCatalog;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        return run(new PrintWriter(out, true), args);
    }

    private int run(PrintWriter writer, String... args) {
        String[] all = Stream.concat(Stream.of("explain"), Stream.of(args)).toArray(String[]::new);
        return Main.commandLine()
                .setOut(writer)
                .setErr(new PrintWriter(err, true))
                .execute(all);
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
        try (PrintWriter writer = new PrintWriter(path.toFile(), StandardCharsets.UTF_8)) {
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
                .map(line -> BsonDocument.parse(line).get("id"))
                .map(id -> id.isString() ? id.asString().getValue() : "null")
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
        assertThat(ids()).containsExactly("r", "null", "w");
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
        assertThat(err.toString()).contains(missing + ": no such file");
        assertThat(run("--vectors", folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(folder + ": cannot be read");
        assertThat(run(
                        "--catalog",
                        file("{}").toString(),
                        "--commands",
                        file(RIGHT).toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("not a catalog dump");
    }

    @Test
    void aLineThatIsNotTextIsLostAlone() throws IOException {
        Path file = file(RIGHT, "{id: 'z\u00e9'}", RIGHT);
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = bytes[i] == (byte) 0xc3 ? (byte) 0xff : bytes[i];
        }
        Files.write(file, bytes);
        assertThat(run("--vectors", file.toString())).isEqualTo(2);
        assertThat(ids()).containsExactly("r", "null", "r");
        assertCounted("{checked: 2, agree: 2, disagree: 0, nothingExpected: 0, skipped: 0, unreadable: 1}");
        assertThat(err.toString()).isEqualToIgnoringNewLines(file + ":2: not UTF-8");
    }

    @Test
    void anUnreadableLineHasALineOfItsOwnWithItsId() throws IOException {
        assertThat(run("--vectors", file("{id: 'u', expectShards: 5}").toString()))
                .isEqualTo(2);
        BsonDocument line =
                BsonDocument.parse(out.toString().lines().findFirst().orElseThrow());
        assertThat(line)
                .isEqualTo(BsonDocument.parse("{id: 'u', shards: null, placement: null, shape: null, error: null, "
                        + "upperBound: null, agree: null, unreadable: '"
                        + line.getString("unreadable").getValue() + "'}"));
        assertThat(line.getString("unreadable").getValue()).isNotBlank();
        assertThat(err.toString()).contains("nothing was checked");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstLine() throws IOException {
        assertThat(run("--vectors", file("\ufeff" + RIGHT, RIGHT).toString())).isZero();
        assertThat(ids()).containsExactly("r", "r");
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() throws IOException {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        String file = file(RIGHT).toString();
        assertThat(run(StandardOutput.utf8(new PrintStream(full)), "--vectors", file))
                .isEqualTo(1);
        assertThat(err.toString()).contains("standard output: cannot be written");
        Path find = file("{find: 'c', $db: 'd'}");
        assertThat(run(StandardOutput.utf8(new PrintStream(full)), "--catalog", dump().toString(), find.toString()))
                .isEqualTo(1);
    }

    @Test
    void theReleaseIsThatOfTheDump() throws IOException {
        Path versioned = folder.resolve("versioned.json");
        String text = Files.readString(dump());
        String file = file("{id: '1', ns: 'd.c', command: {find: 'c'}}").toString();
        for (String[] pair : new String[][] {{"6.0.5", "6.0"}, {"7.3.4", "7.3"}}) {
            Files.writeString(versioned, text.replaceFirst("\\{", "{\"serverVersion\": \"" + pair[0] + "\","));
            assertThat(run("--catalog", versioned.toString(), "--commands", file))
                    .isZero();
            assertThat(out.toString()).contains("\"release\":\"" + pair[1] + "\"");
        }
        Files.writeString(versioned, text.replaceFirst("\\{", "{\"serverVersion\": \"new\","));
        assertThat(run("--catalog", versioned.toString(), "--commands", file)).isEqualTo(2);
        assertThat(err.toString()).contains("\"serverVersion\": \"new\"");
    }

    @Test
    void theOptionsBelongTogether() throws IOException {
        String file = file(RIGHT).toString();
        assertThat(run("--vectors", file, "--commands", file)).isEqualTo(2);
        assertThat(run("--commands", file)).isEqualTo(2);
        assertThat(run()).isEqualTo(2);
        assertThat(run("--catalog", "-", "--commands", "-")).isEqualTo(2);
        assertThat(run("--catalog", "-", "-")).isEqualTo(2);
        assertThat(run("--vectors", file, "--router-version", "new")).isEqualTo(2);
        assertThat(err.toString()).contains("--router-version: new (expected: major.minor, like 6.0)");
    }
}
