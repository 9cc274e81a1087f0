package io.scatterguard.tests.arch;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the published artifacts bring to the class path of an application's tests. */
class ArtifactsTest {
    /** Everything else is below the project's own folder, or a service file: no name that another library looks for. */
    @ParameterizedTest
    @ValueSource(strings = {"protocol", "proxy", "testing"})
    void resourcesHaveNamesOfTheirOwn(String module) throws Exception {
        Path resources = Repository.root().resolve(module).resolve("src/main/resources");
        if (Files.notExists(resources)) {
            return;
        }
        try (Stream<Path> top = Files.list(resources)) {
            assertThat(top.map(path -> path.getFileName().toString()).toList()).isSubsetOf(List.of("io", "META-INF"));
        }
    }
}
