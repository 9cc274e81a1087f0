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
}
