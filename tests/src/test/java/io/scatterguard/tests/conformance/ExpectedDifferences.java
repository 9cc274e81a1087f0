package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.offline.LineCheck;
import io.scatterguard.proxy.offline.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DynamicTest;

/**
 * The lines of one file whose recorded or asserted result is not predicted, each with its reason
 * ({@code expected-differences.jsonl}). All other lines have to agree, and these have to differ: a reason that no longer
 * holds fails the test.
 */
final class ExpectedDifferences {
    private final String file;
    private final Map<String, String> reasons = new HashMap<>();

    ExpectedDifferences(String file) {
        this.file = file;
        for (String line : Lines.of("expected-differences.jsonl")) {
            BsonDocument difference = BsonDocument.parse(line);
            if (difference.getString("file").getValue().equals(file)) {
                String reason = difference.getString("reason").getValue() + " ("
                        + difference.getString("source").getValue() + ")";
                assertThat(reasons.put(difference.getString("id").getValue(), reason))
                        .as("listed twice: %s", line)
                        .isNull();
            }
        }
    }

    /** A test for each line of the file, named by its id, and one that every difference names a line. */
    Stream<DynamicTest> tests(LineCheck check) {
        Map<String, String> unseen = new HashMap<>(reasons);
        Stream<DynamicTest> each = Lines.of(file).stream().map(line -> {
            BsonDocument document = BsonDocument.parse(line);
            String id = document.containsKey("id")
                    ? document.getString("id").getValue()
                    : new BsonDocument("value", document.get("value")).toJson();
            return DynamicTest.dynamicTest(id, () -> {
                unseen.remove(id);
                verify(id, check.check(line));
            });
        });
        return Stream.concat(
                each,
                Stream.of(DynamicTest.dynamicTest(
                        "every expected difference is a line of " + file,
                        () -> assertThat(unseen).isEmpty())));
    }

    private void verify(String id, Outcome outcome) {
        boolean differs = !Boolean.TRUE.equals(outcome.agree()) || outcome.unpredicted() != null;
        String reason = reasons.get(id);
        if (reason == null) {
            assertThat(differs)
                    .as("differs, though nothing is listed: %s", outcome.toJson())
                    .isFalse();
        } else {
            assertThat(differs)
                    .as(
                            "no longer differs (take it off expected-differences.jsonl): %s, listed because: %s",
                            id, reason)
                    .isTrue();
        }
    }
}
