package io.scatterguard.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/testing.md} says what there is. */
class TestingDocTest {
    private final String page = read(Path.of("..", "docs", "testing.md"));

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String section(String heading) {
        int begin = page.indexOf("\n## " + heading + "\n");
        assertThat(begin).as(heading).isPositive();
        int end = page.indexOf("\n## ", begin + 1);
        return page.substring(begin, end < 0 ? page.length() : end);
    }

    @ParameterizedTest
    @ValueSource(classes = {Scatterguard.class, AllowBroadcast.class})
    void everyAttributeHasItsRowAndNoOther(Class<?> annotation) {
        List<MatchResult> rows = Pattern.compile("(?m)^\\| `(\\w+)` \\| (.*?) \\|")
                .matcher(section("`@" + annotation.getSimpleName() + "`"))
                .results()
                .toList();

        assertThat(rows)
                .extracting(row -> row.group(1))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(annotation.getDeclaredMethods())
                        .map(Method::getName)
                        .toList());
        for (MatchResult row : rows) {
            Object value = value(annotation, row.group(1));
            if (row.group(2).startsWith("`")) {
                assertThat(row.group(2)).as(row.group(1)).isEqualTo("`" + value + "`");
            } else {
                assertThat(value).as(row.group(1)).isIn(null, "");
            }
        }
    }

    /** Null where there is no default, and for an empty list. */
    private static Object value(Class<?> annotation, String attribute) {
        try {
            Object value = annotation.getDeclaredMethod(attribute).getDefaultValue();
            return value instanceof String[] list && list.length == 0 ? null : value;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theCoordinatesAreTheModules() {
        Matcher version = Pattern.compile("<version>(.*?)</version>").matcher(read(Path.of("pom.xml")));
        assertThat(version.find()).isTrue();

        assertThat(page)
                .contains("<version>" + version.group(1) + "</version>")
                .contains("'io.scatterguard:scatterguard-testing:" + version.group(1) + "'");
    }

    /** What needs nothing but this module. */
    @Test
    void theFirstExampleCompiles(@TempDir Path folder) throws IOException {
        Matcher example = Pattern.compile("(?s)```java\\n(import .*?)```").matcher(page);
        assertThat(example.find()).isTrue();
        compile(folder.resolve("OrdersTest.java"), example.group(1));
    }

    /** What needs Testcontainers' own artifact and none of its modules. */
    @Test
    void theExampleWithContainersCompiles(@TempDir Path folder) throws IOException {
        Matcher example = Pattern.compile("(?s)```java\\n(.*?)```").matcher(section("`ScatterguardContainer`"));
        assertThat(example.find()).isTrue();
        compile(folder.resolve("ContainersTest.java"), """
                import io.scatterguard.testing.ScatterguardContainer;
                import java.nio.file.Path;
                import org.testcontainers.containers.GenericContainer;
                import org.testcontainers.containers.Network;
                import org.testcontainers.utility.MountableFile;

                class ContainersTest {
                %s}
                """.formatted(example.group(1)));
    }

    private static void compile(Path source, String text) throws IOException {
        Files.writeString(source, text);
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        "-d",
                        source.resolveSibling("classes").toString(),
                        source.toString());
        assertThat(failed).isZero();
    }
}
