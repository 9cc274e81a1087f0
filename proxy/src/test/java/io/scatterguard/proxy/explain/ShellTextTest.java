package io.scatterguard.proxy.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    5                                              | 5
                    {"$numberLong": "-9007199254740993"}           | -9007199254740993
                    0.5                                            | 0.5
                    {"$numberDouble": "-Infinity"}                 | -Infinity
                    {"$numberDecimal": "1.50"}                     | NumberDecimal("1.50")
                    "a\\"b"                                        | "a\\"b"
                    {"$symbol": "s"}                               | "s"
                    {"$oid": "661c7d80000000000000afc9"}           | ObjectId("661c7d80000000000000afc9")
                    {"$date": "2026-06-15T00:00:00Z"}              | ISODate("2026-06-15T00:00:00Z")
                    {"$timestamp": {"t": 4294967295, "i": 2}}      | Timestamp(4294967295, 2)
                    {"$uuid": "7c3f0c1e-58a4-4d5c-8f53-2f1a4c9b0d11"} | UUID("7c3f0c1e-58a4-4d5c-8f53-2f1a4c9b0d11")
                    {"$binary": {"base64": "AAE=", "subType": "00"}} | BinData(0, "AAE=")
                    {"$regularExpression": {"pattern": "^a.*", "options": "i"}} | /^a.*/i
                    {"$minKey": 1}                                 | MinKey
                    {"$maxKey": 1}                                 | MaxKey
                    null                                           | null
                    {"$undefined": true}                           | undefined
                    true                                           | true
                    {"a.b": 1, "x y": [1, "z"]}                    | {a.b: 1, "x y": [1, "z"]}
                    {"$code": "f"}                                 | Code("f")
                    """)
    void valuesReadAsTheyWouldBeTyped(String json, String text) {
        assertThat(ShellText.of(BsonDocument.parse("{v: " + json + "}").get("v")))
                .isEqualTo(text);
    }

    @Test
    void datesBeyondTheCalendarAreNumbers() {
        assertThat(ShellText.of(new BsonDateTime(Long.MAX_VALUE))).isEqualTo("new Date(9223372036854775807)");
        assertThat(ShellText.of(new BsonDateTime(Long.MIN_VALUE))).isEqualTo("new Date(-9223372036854775808)");
    }

    @Test
    void whatIsLongIsCutAndSaysSo() {
        assertThat(ShellText.of(new BsonString("x".repeat(70)))).isEqualTo('"' + "x".repeat(70) + '"');
        assertThat(ShellText.of(new BsonString("x".repeat(71))))
                .isEqualTo('"' + "x".repeat(35) + "\"... (71 characters)");
        BsonDocument wide = new BsonDocument();
        for (int i = 0; i < 100; i++) {
            wide.append("field" + i, new BsonString("value"));
        }
        assertThat(ShellText.of(wide))
                .startsWith("{field0: \"value\", ")
                .endsWith(", ...}")
                .hasSizeLessThan(90);
    }

    @Test
    void noControlCharacterReachesTheTerminal() {
        assertThat(ShellText.of(new BsonString("\u001b[31m\u009b\u202e\n")))
                .isEqualTo("\"\\u001b[31m\\u009b\\u202e\\n\"");
        assertThat(ShellText.of(BsonDocument.parse("{\"\\u001b\": 1}"))).isEqualTo("{\"\\u001b\": 1}");
    }
}
