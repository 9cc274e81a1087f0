package io.scatterguard.protocol.bson;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashedKeyTest {
    private static long hash(String json) {
        return HashedKey.hash(
                BsonValueView.of(BsonDocument.parse("{v: " + json + "}").get("v")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|4854801880128277513",
                "1|5902408780260971510",
                "42|-944302157085130861",
                "null|2338878944348059895",
                "{$date: 0}|-1178696894582842035",
                "{$timestamp: {t: 0, i: 0}}|-7867208682377458672"
            })
    void matchesTheServersConstants(String json, long expected) {
        assertThat(hash(json)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1.9", "{$numberLong: '1'}", "{$numberDecimal: '0.51'}", "{$numberDecimal: '1.5E0'}"})
    void numbersThatBecomeTheSameIntegerHashAlike(String json) {
        long expected = json.contains("1.5E0") ? hash("2") : hash("1");
        assertThat(hash(json)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"[1]|{'0': 1}", "\"a\"|\"A\"", "{}|[]", "{a: 1}|{b: 1}"})
    void differentValuesHashDifferently(String one, String other) {
        assertThat(hash(one)).isNotEqualTo(hash(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "9223372036854775808.0|-9223372036854775808",
                "1e300|9223372036854775807",
                "-1e300|-9223372036854775808"
            })
    void doublesOutsideInt64AreClamped(String json, String asLong) {
        assertThat(hash(json)).isEqualTo(hash("{$numberLong: '" + asLong + "'}"));
    }
}
