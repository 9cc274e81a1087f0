package io.scatterguard.tests.arch;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A file is one idea: none is so long that it has to be two. */
class FileSizesTest {
    private static final int MOST_LINES = 400;

    @Test
    void noSourceFileIsTooLong() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Repository.root())) {
            sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/"))
                    .toList();
        }
        assertThat(sources).hasSizeGreaterThan(500);
        assertThat(sources)
                .allSatisfy(file -> assertThat(lines(file))
                        .as("lines of %s", file.getFileName())
                        .isLessThanOrEqualTo(MOST_LINES));
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
