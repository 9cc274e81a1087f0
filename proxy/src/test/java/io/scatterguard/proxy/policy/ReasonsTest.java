package io.scatterguard.proxy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReasonsTest {
    private static String page() throws IOException {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path page = at.resolve("docs/audit-log.md");
            if (Files.exists(page)) {
                return Files.readString(page);
            }
        }
        throw new AssertionError(
                "docs/audit-log.md: not found above " + Path.of("").toAbsolutePath());
    }

    /** The page about the records lists every reason and no other. */
    @Test
    void theDocumentedVocabularyIsThat() throws Exception {
        Matcher row = Pattern.compile("(?m)^\\| `verdict\\.reason` \\| string \\| (.+) \\|$")
                .matcher(page());
        assertThat(row.find()).isTrue();
        List<String> documented = Pattern.compile("`([A-Za-z]+)`")
                .matcher(row.group(1))
                .results()
                .map(word -> word.group(1))
                .toList();

        List<String> constants = new ArrayList<>();
        for (Field field : Reasons.class.getDeclaredFields()) {
            if (field.getType() == String.class) {
                constants.add((String) field.get(null));
            }
        }

        assertThat(constants).hasSizeGreaterThan(10).doesNotHaveDuplicates();
        assertThat(documented).containsExactlyInAnyOrderElementsOf(constants);
    }
}
