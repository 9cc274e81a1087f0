package io.scatterguard.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every row of {@code docs/compatibility.md} has a verdict, and what is said to work names tests that are there. */
class CompatibilityDocTest {
    private static final Path PAGE = Repository.root().resolve("docs/compatibility.md");
    private static final List<String> VERDICTS = List.of("works", "works with a note", "cannot", "not tried");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:#(\\w+))?`");

    /** One row of a table: what it is about, the verdict, the tests, the note. */
    private record Row(String subject, String verdict, String tests, String note) {}

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("| ") && !line.startsWith("| what ")) {
                String[] cells = line.substring(1, line.lastIndexOf('|')).split("\\|", -1);
                assertThat(cells).as("cells of the row %s", line).hasSize(4);
                rows.add(new Row(cells[0].strip(), cells[1].strip(), cells[2].strip(), cells[3].strip()));
            }
        }
        return rows;
    }

    private static Map<String, Path> testSources() throws IOException {
        try (Stream<Path> files = Files.walk(Repository.root())) {
            return files.filter(file -> file.toString().endsWith("Test.java"))
                    .filter(file -> file.toString().contains("src/test/java"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            file -> file,
                            (one, other) -> one));
        }
    }

    @TestFactory
    List<DynamicTest> everyRowHoldsWhatItsVerdictNeeds() throws IOException {
        Map<String, Path> sources = testSources();
        List<DynamicTest> tests = rows().stream()
                .map(row -> DynamicTest.dynamicTest(row.subject(), () -> check(row, sources)))
                .toList();
        assertThat(tests).hasSizeGreaterThan(40);
        return tests;
    }

    private static void check(Row row, Map<String, Path> sources) throws IOException {
        assertThat(row.verdict()).isIn(VERDICTS);
        List<MatchResult> named = TEST.matcher(row.tests()).results().toList();
        if (row.verdict().startsWith("works")) {
            assertThat(named).as("tests that show it").isNotEmpty();
        }
        if (!row.verdict().equals("works")) {
            assertThat(row.note()).as("what there is to know").isNotEmpty();
        }
        for (MatchResult test : named) {
            assertThat(sources).containsKey(test.group(1));
            if (test.group(2) != null) {
                assertThat(Files.readString(sources.get(test.group(1)))).contains(" " + test.group(2) + "(");
            }
        }
    }

    @Test
    void everyOpcodeHasARow() throws IOException {
        assertThat(rows().stream().map(Row::subject).collect(Collectors.joining(" ")))
                .contains(Arrays.stream(OpCode.values()).map(OpCode::name).toList());
    }
}
