package io.scatterguard.proxy.logs;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShortenedLineTest {
    private static final String BEGIN = "{\"t\":{\"$date\":\"2026-11-30T12:00:00.250+00:00\"},";

    @Test
    void whatNobodyLooksAtIsLeftOut() {
        String line = BEGIN
                + "\"s\":\"I\",  \"c\":\"COMMAND\", \"id\":51803,\"ctx\":\"conn42\",\"msg\":\"Slow query\",\"attr\":{"
                + "\"type\":\"command\",\"ns\":\"a.b\",\"command\":{\"find\":\"b\",\"filter\":{\"x\":\"} \\\" ] {\",\"y\":[1,{\"z\":null}]}},"
                + "\"locks\":{\"Global\":{\"acquireCount\":{\"r\":4}},\"x\":[\"}\"]},\"numYields\":0,\"durationMillis\":7}"
                + ",\"tags\":[],\"truncated\":{\"locks\":{\"type\":\"object\"}}}";
        assertThat(BsonDocument.parse(ShortenedLine.of(line)))
                .isEqualTo(BsonDocument.parse(
                        BEGIN + "\"msg\":\"Slow query\",\"attr\":{\"type\":\"command\",\"ns\":\"a.b\","
                                + "\"command\":{\"find\":\"b\",\"filter\":{\"x\":\"} \\\" ] {\",\"y\":[1,{\"z\":null}]}},\"durationMillis\":7},"
                                + "\"truncated\":{\"locks\":{\"type\":\"object\"}}}"));
        assertThat(ShortenedLine.of(line)).contains("\"} \\\" ] {\"").doesNotContain("acquireCount");
    }

    @Test
    void anEmptyDocumentIsOne() {
        assertThat(ShortenedLine.of("{}")).isEqualTo("{}");
        assertThat(ShortenedLine.of("{\"attr\":{}, \"s\":\"I\"} ")).isEqualTo("{\"attr\":{}}");
        assertThat(ShortenedLine.of("{\"attr\":7,\"msg\":true}")).isEqualTo("{\"attr\":7,\"msg\":true}");
    }

    /** What is not whole, or no JSON, is left as it is, for the parser to say what is wrong. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "{",
                "{\"t\"",
                "{\"t\":",
                "{\"t\":}",
                "{\"t\":1",
                "{\"t\":1,}",
                "{\"t\":1 2}",
                "{\"attr\":{\"command\":{\"find\":\"b\"}",
                "{\"attr\":{\"locks\":[1,2}",
                "{\"locks\":\"\\",
                "{\"t\":1}}",
                "{\"t\":1} {\"t\":2}",
                "{t:1}",
                "{\"msg\":\"cut of",
            })
    void whatIsNotWholeStaysAsItIs(String line) {
        assertThat(ShortenedLine.of(line)).isEqualTo(line);
    }

    /** Cut off anywhere, a line is not taken for a whole one. */
    @Test
    void noBeginningOfALineIsWhole() {
        String line = BEGIN
                + "\"msg\":\"Slow query\",\"attr\":{\"ns\":\"a.b\",\"command\":{\"find\":\"b\",\"filter\":{\"x\":[1,\"}\"]}},"
                + "\"locks\":{\"g\":{}},\"durationMillis\":7}}";
        for (int i = 0; i < line.length(); i++) {
            assertThat(ShortenedLine.of(line.substring(0, i))).isEqualTo(line.substring(0, i));
        }
    }
}
