package io.scatterguard.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/rules-validate.md} has a row of every check, and of no other. */
class RulesValidateDocTest {
    private static final Path ROOT = Repository.root();
    private static final Pattern MADE = Pattern.compile("(?:error|warning|note)\\(\\s*\"(\\w+)\"");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)`");

    @Test
    void everyCheckIsDocumentedAndNoOther() throws IOException {
        Set<String> made = new TreeSet<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("proxy/src/main/java/io/scatterguard/proxy/validation"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher check = MADE.matcher(Files.readString(file));
                while (check.find()) {
                    made.add(check.group(1));
                }
            }
        }
        assertThat(made).hasSizeGreaterThan(20);
        assertThat(documented()).containsExactlyElementsOf(made);
    }

    private static Set<String> documented() throws IOException {
        Set<String> named = new TreeSet<>();
        List<String> page = Files.readAllLines(ROOT.resolve("docs/rules-validate.md"));
        for (String row : page.subList(page.indexOf("## What is checked"), page.size())) {
            if (row.startsWith("| `")) {
                Matcher name = NAMED.matcher(row.substring(0, row.indexOf('|', 1)));
                while (name.find()) {
                    named.add(name.group(1));
                }
            }
        }
        return named;
    }
}
