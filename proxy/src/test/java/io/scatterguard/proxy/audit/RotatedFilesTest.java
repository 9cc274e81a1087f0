package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rotation by time, and compression of what was put aside. */
class RotatedFilesTest {
    @TempDir
    Path folder;

    private final SteppedClock clock = new SteppedClock();
    private Path path;

    @BeforeEach
    void choosePath() {
        path = folder.resolve("audit.jsonl");
    }

    private RollingFileSink sink(long maxBytes, int maxFiles, Duration every, boolean gzip) {
        return new RollingFileSink(path, new FileRotation(maxBytes, maxFiles, every, gzip), WhenFull.DROP, clock);
    }

    private static void write(AuditSink sink, String... lines) throws IOException {
        sink.write(Arrays.stream(lines)
                .map(line -> (line + "\n").getBytes(StandardCharsets.UTF_8))
                .toList());
        sink.flush();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private Path file(String suffix) {
        return folder.resolve("audit.jsonl" + suffix);
    }

    private static String unzipped(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aDayEndsAtMidnight() throws IOException {
        try (RollingFileSink sink = sink(1_000, 5, Duration.ofDays(1), false)) {
            write(sink, "at 10:20");
            clock.pass(Duration.ofHours(13));
            write(sink, "at 23:20");
            assertThat(names()).containsExactly("audit.jsonl");
            clock.pass(Duration.ofHours(1));
            write(sink, "at 00:20");
            clock.pass(Duration.ofDays(3));
            write(sink, "days later", "and more");
        }

        assertThat(names()).containsExactly("audit.jsonl", "audit.jsonl.1", "audit.jsonl.2");
        assertThat(file(".2")).hasContent("at 10:20\nat 23:20\n");
        assertThat(file(".1")).hasContent("at 00:20\n");
        assertThat(path).hasContent("days later\nand more\n");
    }

    @Test
    void aFileOfYesterdayIsPutAsideAfterARestart() throws IOException {
        Files.writeString(path, "yesterday\n");
        Files.setLastModifiedTime(path, FileTime.from(Instant.parse("2026-11-30T23:59:59Z")));
        try (RollingFileSink sink = sink(1_000, 5, Duration.ofDays(1), false)) {
            write(sink, "today");
        }
        assertThat(file(".1")).hasContent("yesterday\n");

        Files.setLastModifiedTime(path, FileTime.from(Instant.parse("2026-12-01T00:00:01Z")));
        try (RollingFileSink sink = sink(1_000, 5, Duration.ofDays(1), false)) {
            write(sink, "today as well");
        }
        assertThat(path).hasContent("today\ntoday as well\n");
        assertThat(names()).containsExactly("audit.jsonl", "audit.jsonl.1");
    }

    /** The neighbour. */
    @Test
    void withoutATimeAFileStays() throws IOException {
        try (RollingFileSink sink = sink(1_000, 5, Duration.ZERO, false)) {
            write(sink, "a");
            clock.pass(Duration.ofDays(1_000));
            write(sink, "b");
        }

        assertThat(names()).containsExactly("audit.jsonl");
    }

    @Test
    void whatIsPutAsideIsCompressed() throws IOException {
        try (RollingFileSink sink = sink(10, 2, Duration.ZERO, true)) {
            write(sink, "1111", "2222", "3333", "4444", "5555", "6666", "7777");
        }

        assertThat(names()).containsExactly("audit.jsonl", "audit.jsonl.1.gz", "audit.jsonl.2.gz");
        assertThat(path).hasContent("7777\n");
        assertThat(unzipped(file(".1.gz"))).isEqualTo("5555\n6666\n");
        assertThat(unzipped(file(".2.gz"))).isEqualTo("3333\n4444\n");
        assertThat(Files.getPosixFilePermissions(file(".1.gz")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void filesOfBothKindsMoveOnTogether() throws IOException {
        Files.writeString(file(".1"), "not compressed, its process was killed\n");
        Files.writeString(file(".1.gz.part"), "half of it");
        Files.writeString(file(".2.gz"), "old");
        try (RollingFileSink sink = sink(10, 3, Duration.ZERO, true)) {
            write(sink, "1111", "2222", "3333");
            await().until(() -> Files.exists(file(".1.gz")) && !Files.exists(file(".1")));
        }

        assertThat(names()).containsExactly("audit.jsonl", "audit.jsonl.1.gz", "audit.jsonl.2", "audit.jsonl.3.gz");
        assertThat(file(".2")).hasContent("not compressed, its process was killed\n");
    }

    @Test
    void whatCannotBeCompressedStaysAsItIs() throws IOException {
        Files.createDirectories(file(".1.gz.part").resolve("in the way"));
        try (RollingFileSink sink = sink(10, 3, Duration.ZERO, true)) {
            write(sink, "1111", "2222", "3333", "4444", "5555");
        }

        assertThat(file(".1")).hasContent("3333\n4444\n");
        assertThat(file(".2")).hasContent("1111\n2222\n");
        assertThat(path).hasContent("5555\n");
    }

    private void putInTheWay(Path file) throws IOException {
        Files.createDirectories(file.resolve("in the way"));
    }

    /** Whatever fails, trying again must not cost the files that were put aside before. */
    @Test
    void aFileThatCannotBePutAsideGoesOnGrowingAndNoneIsLost() throws IOException {
        Files.writeString(file(".1"), "old\n");
        Files.writeString(file(".2"), "older\n");
        putInTheWay(file(".3"));
        try (RollingFileSink sink = sink(10, 3, Duration.ZERO, false)) {
            write(sink, "1111", "2222", "3333", "4444", "5555", "6666");
            write(sink, "7777");
            assertThat(file(".0")).hasContent("1111\n2222\n");
            assertThat(path).hasContent("3333\n4444\n5555\n6666\n7777\n");
            assertThat(file(".1")).hasContent("old\n");
            assertThat(file(".2")).hasContent("older\n");

            Files.delete(file(".3").resolve("in the way"));
            write(sink, "8888");
            assertThat(file(".3")).as("not tried at every batch").isDirectory();
            clock.pass(Duration.ofMillis(RollingFileSink.RETRY_MILLIS));
            write(sink, "9999");
        }

        assertThat(names()).containsExactly("audit.jsonl", "audit.jsonl.1", "audit.jsonl.2", "audit.jsonl.3");
        assertThat(path).hasContent("9999\n");
        assertThat(file(".1")).hasContent("3333\n4444\n5555\n6666\n7777\n8888\n");
        assertThat(file(".2")).hasContent("1111\n2222\n");
        assertThat(file(".3")).hasContent("old\n");
    }

    /** No file system takes a name this long with anything behind it. */
    @Test
    void aFileThatCannotBeRenamedCostsNoRecord() throws IOException {
        path = folder.resolve("a".repeat(254));
        try (RollingFileSink sink = sink(10, 3, Duration.ofDays(1), false)) {
            write(sink, "1111", "2222", "3333");
            clock.pass(Duration.ofDays(1));
            write(sink, "4444");
            write(sink, "5555");
        }

        assertThat(path).hasContent("1111\n2222\n3333\n4444\n5555\n");
    }

    /** What a process left that was killed while it put a file aside. */
    @Test
    void aFileThatWasBeingPutAsideIsPutAsideFirst() throws IOException {
        Files.writeString(file(".0"), "killed\n");
        Files.writeString(file(".1"), "before\n");
        try (RollingFileSink sink = sink(10, 5, Duration.ZERO, false)) {
            write(sink, "1111", "2222", "3333");
        }

        assertThat(file(".1")).hasContent("1111\n2222\n");
        assertThat(file(".2")).hasContent("killed\n");
        assertThat(file(".3")).hasContent("before\n");
        assertThat(file(".0")).doesNotExist();
    }

    /** The neighbour: a number that somebody took away is filled, and nothing is deleted for it. */
    @Test
    void aFreeNumberIsFilled() throws IOException {
        Files.writeString(file(".2"), "older\n");
        Files.writeString(file(".3"), "oldest\n");
        try (RollingFileSink sink = sink(10, 3, Duration.ZERO, false)) {
            write(sink, "1111", "2222", "3333");
        }

        assertThat(file(".1")).hasContent("1111\n2222\n");
        assertThat(file(".2")).hasContent("older\n");
        assertThat(file(".3")).hasContent("oldest\n");
    }
}
