package io.scatterguard.proxy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.proxy.config.ExemptionConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommentExemptionTest {
    private static List<String> ids(BsonValue comment) {
        List<String> offered = new ArrayList<>();
        String found = CommentExemption.find(BsonValueView.of(comment), id -> {
            offered.add(id);
            return false;
        });
        assertThat(found).isNull();
        return offered;
    }

    private static List<String> idsIn(String text) {
        return ids(new BsonString(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scatterguard:allow=a                          | a",
                "backfill; scatterguard:allow=b-1.x_2; thanks  | b-1.x_2",
                "see scatterguard:allow=a.                     | a",
                "(scatterguard:allow=a)                        | a",
                "xscatterguard:allow=a                         | a",
                "scatterguard:allow=A9--                       | A9",
                "scatterguard:allow=aé                         | a",
            })
    void anIdStandsAnywhereInAText(String text, String id) {
        assertThat(idsIn(text)).containsExactly(id);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''",
                "scatterguard:allow=",
                "scatterguard:allow= a",
                "scatterguard:allow=-a",
                "scatterguard:allow=...",
                "scatterguard: allow=a",
                "scatterguard:allow:a",
                "Scatterguard:allow=a",
                "scatterguard:Allow=a",
                "allow=a",
                "scatterguard:allow=é",
            })
    void anythingElseIsNone(String text) {
        assertThat(idsIn(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{scatterguard: 'allow=a'}                          | a",
                "{scatterguard: 'scatterguard:allow=a'}             | a",
                "{x: 1, note: 'for scatterguard:allow=a, ok'}       | a",
                "{x: 'scatterguard:allow=a', scatterguard: 'allow=b'} | a;b",
                "{scatterguard: 'allow=a please'}                   | ''",
                "{scatterguard: ' allow=a'}                         | ''",
                "{scatterguard: {allow: 'a'}}                       | ''",
                "{Scatterguard: 'allow=a'}                          | ''",
                "{x: 'allow=a'}                                     | ''",
                "{x: {y: 'scatterguard:allow=a'}}                   | ''",
                "{x: ['scatterguard:allow=a']}                      | ''",
                "{}                                                 | ''",
            })
    void anIdStandsDirectlyInADocument(String document, String expected) {
        assertThat(String.join(";", ids(BsonDocument.parse(document)))).isEqualTo(expected);
    }

    @Test
    void theFirstThatIsAcceptedIsFound() {
        BsonValueView comment =
                BsonValueView.of(new BsonString("scatterguard:allow=a scatterguard:allow=b scatterguard:allow=c"));

        assertThat(CommentExemption.find(comment, id -> !id.equals("a"))).isEqualTo("b");
        assertThat(CommentExemption.find(comment, "c"::equals)).isEqualTo("c");
    }

    @Test
    void anIdHasAtMostAHundredCharacters() {
        assertThat(idsIn("scatterguard:allow=" + "a".repeat(100))).containsExactly("a".repeat(100));
        assertThat(idsIn("scatterguard:allow=" + "a".repeat(101))).isEmpty();
    }

    @Test
    void anEndlessCommentIsNotSearched() {
        String marker = "scatterguard:allow=a";
        int room = CommentExemption.MAX_VALUE_BYTES - 5 - marker.length();

        assertThat(idsIn(" ".repeat(room) + marker)).containsExactly("a");
        assertThat(idsIn(" ".repeat(room + 1) + marker)).isEmpty();
    }

    /** What is found could have been registered, and what can be registered is found. */
    @Test
    void idsAreThoseOfTheConfiguration() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String alphabet = "aZ0._-";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder id = new StringBuilder();
            for (int length = 1 + random.nextInt(6); id.length() < length; ) {
                id.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            List<String> found = idsIn("scatterguard:allow=" + id);
            boolean registrable = ExemptionConfig.ID.matcher(id).matches();

            assertThat(found.contains(id.toString()))
                    .as("%s, seed %d", id, seed)
                    .isEqualTo(registrable);
            assertThat(found).allMatch(f -> ExemptionConfig.ID.matcher(f).matches(), "an id, seed " + seed);
        }
    }
}
