package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollingFileSinkTest {
    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = folder.resolve("audit.jsonl");
    }

    private static void write(AuditSink sink, String... lines) throws IOException {
        sink.write(Arrays.stream(lines)
                .map(line -> (line + "\n").getBytes(StandardCharsets.UTF_8))
                .toList());
        sink.flush();
    }

    private static RollingFileSink sink(Path path, long maxBytes, int maxFiles) {
        return new RollingFileSink(path, FileRotation.bySize(maxBytes, maxFiles), WhenFull.DROP, Given.CLOCK);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private Path rotated(int number) {
        return folder.resolve("audit.jsonl." + number);
    }

    @Test
    void appendsToWhatIsThere() throws IOException {
        Files.writeString(path, "old\n");
        try (RollingFileSink sink = sink(path, 1_000, 2)) {
            write(sink, "a", "b");
            write(sink, "c");
        }

        assertThat(path).hasContent("old\na\nb\nc\n");
        assertThat(names()).containsExactly("audit.jsonl");
    }

    @Test
    void rotatesBeforeItGrowsTooLargeAndKeepsSoManyFiles() throws IOException {
        try (RollingFileSink sink = sink(path, 10, 2)) {
            write(sink, "1111", "2222", "3333"); // two lines of five bytes fill a file
            assertThat(path).hasContent("3333\n");
            assertThat(rotated(1)).hasContent("1111\n2222\n");

            write(sink, "4444", "5555", "6666", "7777", "8888");
        }

        assertThat(names()).containsExactly("audit.jsonl", "audit.jsonl.1", "audit.jsonl.2");
        assertThat(path).hasContent("7777\n8888\n");
        assertThat(rotated(1)).hasContent("5555\n6666\n");
        assertThat(rotated(2)).hasContent("3333\n4444\n");
    }

    @Test
    void withoutRenamedFilesTheFullOneIsDeleted() throws IOException {
        try (RollingFileSink sink = sink(path, 10, 0)) {
            write(sink, "1111", "2222", "3333");
        }

        assertThat(path).hasContent("3333\n");
        assertThat(names()).containsExactly("audit.jsonl");
    }

    @Test
    void aFileThatIsFullAtStartIsRotatedFirst() throws IOException {
        Files.writeString(path, "0123456789\n");
        try (RollingFileSink sink = sink(path, 10, 1)) {
            write(sink, "a");
        }

        assertThat(rotated(1)).hasContent("0123456789\n");
        assertThat(path).hasContent("a\n");
    }

    @Test
    void aRecordLargerThanAFileGetsOneOfItsOwn() throws IOException {
        try (RollingFileSink sink = sink(path, 10, 3)) {
            write(sink, "a", "x".repeat(50), "b");
        }

        assertThat(rotated(2)).hasContent("a\n");
        assertThat(rotated(1)).hasContent("x".repeat(50) + "\n");
        assertThat(path).hasContent("b\n");
    }

    @Test
    void aFileMovedAwayIsMadeAnew() throws IOException {
        try (RollingFileSink sink = sink(path, 1_000, 2)) {
            write(sink, "a");
            Files.move(path, folder.resolve("taken"));
            write(sink, "b");
            Files.move(path, folder.resolve("taken2"));
            Files.writeString(path, "somebody else's\n");
            write(sink, "c");
        }

        assertThat(folder.resolve("taken")).hasContent("a\n");
        assertThat(folder.resolve("taken2")).hasContent("b\n");
        assertThat(path).hasContent("somebody else's\nc\n");
    }

    @Test
    void isForItsOwnerOnly() throws IOException {
        assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
        try (RollingFileSink sink = sink(path, 3, 1)) {
            write(sink, "a", "b", "c");
        }

        for (Path file : List.of(path, rotated(1))) {
            assertThat(Files.getPosixFilePermissions(file))
                    .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        }
    }

    @Test
    void aFolderThatComesBackIsUsedAgain() throws IOException {
        Path inside = folder.resolve("logs").resolve("audit.jsonl");
        try (RollingFileSink sink = sink(inside, 1_000, 1)) {
            assertThatThrownBy(() -> write(sink, "a")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> write(sink, "b"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("audit.jsonl");
            Files.createDirectory(inside.getParent());
            write(sink, "c");
        }

        assertThat(inside).hasContent("c\n");
    }

    @Test
    void aLineThatWasCutOffIsEndedFirst() throws IOException {
        Files.writeString(path, "{\"seq\":1");
        try (RollingFileSink sink = sink(path, 1_000, 1)) {
            write(sink, "a");
        }

        assertThat(path).hasContent("{\"seq\":1\na\n");
    }

    /** {@code /dev/full} answers every write with ENOSPC. */
    @Test
    void aFullDiskCostsRecordsAndNothingElse() throws IOException {
        assumeThat(Path.of("/dev/full")).as("a device that is always full").exists();
        Files.createSymbolicLink(path, Path.of("/dev/full"));
        AuditPipeline pipeline =
                Given.pipeline(Given.settings(AuditSettings.Recording.ALL, 100), sink(path, 100_000, 1));
        for (int i = 0; i < 3; i++) {
            end(pipeline);
        }
        await().until(() -> pipeline.dropped() == 3);
        Files.delete(path);
        end(pipeline);
        pipeline.close();

        assertThat(pipeline.recorded()).isEqualTo(1);
        assertThat(Files.readAllLines(path))
                .satisfiesExactly(
                        gap -> assertThat(gap).startsWith("{\"gap\":{\"from\":1,\"to\":3,\"count\":3}"),
                        record -> assertThat(record).startsWith("{\"seq\":4,"));
    }

    private static void end(AuditPipeline pipeline) {
        pipeline.end(
                pipeline.begin(Given.command("{find: 'orders'}"), Given.broadcast(), Given.LOGGED, Given.SOURCE),
                Given.ANSWERED);
    }

    @Test
    void limitsMustMakeSense() {
        assertThatThrownBy(() -> sink(path, 0, 1)).hasMessageContaining("maxBytes 0");
        assertThatThrownBy(() -> sink(path, 1, -1)).hasMessageContaining("maxFiles -1");
    }
}
