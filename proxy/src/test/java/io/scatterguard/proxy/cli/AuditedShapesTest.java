package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.audit.QueryShape;
import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.config.BaselineFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No line of a log keeps the others from being used. */
class AuditedShapesTest {
    @TempDir
    private Path folder;

    private AuditedShapes read(String... lines) throws IOException {
        AuditedShapes shapes = new AuditedShapes(List.of());
        shapes.read(Files.write(folder.resolve("log.jsonl"), List.of(lines)).toString());
        return shapes;
    }

    private static String record(String hash, String text, String members) {
        return "{\"seq\":1,\"ts\":\"2026-11-02T10:00:00.000001Z\",\"db\":\"shop\",\"coll\":\"orders\",\"shape\":{\"text\":\""
                + text + "\",\"hash\":\"" + hash + "\"}," + members + "}";
    }

    private static String logged(String hash, String text) {
        return record(hash, text, "\"verdict\":{\"action\":\"log\",\"reason\":\"rule\"}");
    }

    @Test
    void theLongestShapeOfARecordIsOneOfABaseline() throws IOException {
        assertThat(BaselineEntry.MAX_SHAPE_CHARS).isEqualTo(QueryShape.MAX_TEXT_CHARS);
        String longest = "s".repeat(QueryShape.MAX_TEXT_CHARS);
        AuditedShapes shapes = read(logged("00000000000000aa", longest), logged("00000000000000bb", "find"));

        assertThat(shapes.complaints()).isEmpty();
        assertThat(shapes.entries()).extracting(BaselineEntry::shape).containsExactly(longest, "find");
    }

    /** The names of collections and fields may hold anything but a zero byte. */
    @Test
    void controlCharactersBecomeBlanks() throws IOException {
        AuditedShapes shapes = read(logged("00000000000000aa", "find {filter: {a\\tb\\u0007c\\r\\nd\\u0085: ?number}}")
                .replace("orders", "or\\u001bders"));

        assertThat(shapes.complaints()).isEmpty();
        BaselineEntry entry = shapes.entries().get(0);
        assertThat(entry.shape()).isEqualTo("find {filter: {a b c  d : ?number}}");
        assertThat(entry.namespace()).isEqualTo("shop.or ders");
        assertThat(BaselineFile.parse(BaselineFile.text(List.of(), List.of(entry)), "text"))
                .containsExactly(entry);
    }

    @Test
    void aLineThatCannotBeUsedIsNamedAndTheRestIsUsed() throws IOException {
        AuditedShapes shapes = read(
                logged("00000000000000aa", "find").replace("2026-11-02T10:00:00.000001Z", "2026"),
                logged("00000000000000bb", "s".repeat(2_049)),
                "{",
                "{\"find\":\"orders\"}",
                logged("00000000000000cc", "find"));

        assertThat(shapes.entries()).extracting(BaselineEntry::id).containsExactly("00000000000000cc");
        assertThat(shapes.findings()).isOne();
        String log = folder.resolve("log.jsonl").toString();
        assertThat(shapes.complaints()).hasSize(5);
        assertThat(shapes.complaints().get(0))
                .isEqualTo(log + ":1: member \"ts\" (expected: a time like 2026-12-01T10:20:30.123456Z)");
        assertThat(shapes.complaints().get(1)).isEqualTo(log + ":2: shape: not one line of 1..2048 characters");
        assertThat(shapes.complaints().get(2)).startsWith(log + ":3: ");
        assertThat(shapes.complaints().get(3)).isEqualTo(log + ":4: no audit record");
        assertThat(shapes.complaints().get(4)).isEqualTo("left out what cannot be used: 4 lines");
    }

    @Test
    void ofManySuchLinesTheFirstAreNamed() throws IOException {
        String[] lines = new String[1_000];
        Arrays.fill(lines, "no record");

        assertThat(read(lines).complaints())
                .hasSize(11)
                .last()
                .isEqualTo("left out what cannot be used: 1000 lines, of which the first 10 are named");
    }

    /** What no baseline could lift is no known shape. */
    @Test
    void refusalsThatAreAboutNoShapeAreNoFindings() throws IOException {
        String refused = "\"verdict\":{\"action\":\"refuse\",\"reason\":\"%s\"}";
        AuditedShapes shapes = read(
                record("00000000000000aa", "commitTransaction", refused.formatted("transactionRefused")),
                record("00000000000000bb", "find", refused.formatted("internalError")),
                record("00000000000000cc", "find", refused.formatted("malformed")),
                record("00000000000000dd", "find", refused.formatted("wouldFail")),
                record("00000000000000ee", "find", "\"route\":{},\"verdict\":{\"action\":\"refuse\"}"));

        assertThat(shapes.entries())
                .extracting(BaselineEntry::id)
                .containsExactly("00000000000000dd", "00000000000000ee");
        assertThat(shapes.complaints()).isEmpty();
    }

    @Test
    void countsStandForTheirFindings() throws IOException {
        AuditedShapes shapes = read(
                record("00000000000000aa", "find", "\"counts\":{\"findings\":299,\"exempted\":9}"),
                record("00000000000000bb", "find", "\"counts\":{\"findings\":9,\"exempted\":9}"),
                "{\"gap\":{\"from\":6,\"to\":8,\"count\":3},\"ts\":\"2026-12-01T10:20:30.123456Z\"}");

        assertThat(shapes.complaints()).isEmpty();
        assertThat(shapes.findings()).isEqualTo(290);
        assertThat(shapes.entry("00000000000000aa")).hasValueSatisfying(entry -> {
            assertThat(entry.count()).isEqualTo(290);
            assertThat(entry.lastSeen()).isEqualTo(LocalDate.of(2026, 11, 2));
        });
        assertThat(shapes.entry("00000000000000bb")).isEmpty();
    }
}
