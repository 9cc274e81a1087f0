package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.ConfigKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/connections.md} explains every cause for which a connection ends, and no other. */
class ConnectionsDocTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (.+?) \\| (.+?) \\| (.+?) \\|$");
    private static final Pattern KEY = Pattern.compile("`([^`]+)`");

    private record Row(String cause, String meaning, String keys, String advice) {}

    private static List<Row> rows() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (root != null && !Files.exists(root.resolve("docs/connections.md"))) {
            root = root.getParent();
        }
        assertThat(root).as("a folder with docs/connections.md above this one").isNotNull();
        return ROW.matcher(Files.readString(root.resolve("docs/connections.md")))
                .results()
                .map(row -> new Row(row.group(1), row.group(2), row.group(3), row.group(4)))
                .toList();
    }

    @Test
    void everyCauseHasItsRowAndNoOther() throws IOException {
        assertThat(rows())
                .extracting(Row::cause)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(CloseCause.values()).map(CloseCause::text).toList());
    }

    @Test
    void theKeysOfTheTableExist() throws IOException {
        assertThat(rows()).allSatisfy(row -> {
            Matcher keys = KEY.matcher(row.keys());
            while (keys.find()) {
                assertThat(ConfigKeys.paths()).as(row.cause()).contains(keys.group(1));
            }
        });
    }

    @Test
    void theKeyThatTheLogNamesIsInTheTable() throws IOException {
        List<Row> rows = rows();
        assertThat(Arrays.stream(CloseCause.values()).filter(cause -> cause.limit() != null))
                .hasSizeGreaterThan(5)
                .allSatisfy(cause -> assertThat(rows)
                        .filteredOn(row -> row.cause().equals(cause.text()))
                        .singleElement()
                        .satisfies(row -> assertThat(row.keys()).contains("`" + cause.limit() + "`")));
    }
}
