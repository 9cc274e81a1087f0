package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;

/**
 * The lines of which a prediction for a release that they hold for differs, by themselves or as far as is known, each with its
 * reason ({@code release-differences.jsonl}).
 */
final class ReleaseDifferences {
    private ReleaseDifferences() {}

    /** The releases by the id of the line. */
    static Map<String, List<String>> of(String file) {
        Map<String, List<String>> releases = new TreeMap<>();
        for (String line : Lines.of("release-differences.jsonl")) {
            BsonDocument difference = BsonDocument.parse(line);
            assertThat(difference.getString("reason").getValue()).isNotBlank();
            if (difference.getString("file").getValue().equals(file)) {
                List<String> of = difference.getArray("releases").stream()
                        .map(release -> release.asString().getValue())
                        .toList();
                assertThat(releases.put(difference.getString("id").getValue(), of))
                        .as("listed twice: %s", line)
                        .isNull();
            }
        }
        return releases;
    }
}
