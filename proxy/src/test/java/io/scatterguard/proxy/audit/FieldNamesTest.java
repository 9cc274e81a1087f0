package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldNamesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "_id",
                "userId",
                "user_id",
                "user-id",
                "naïve",
                "地址",
                "address.street",
                "v2",
                "year2024",
                "md5",
                "$or",
                "$geoWithin",
                "$atan2",
                "items.$.price",
                "items.$[].price",
                "items.$[elem].price",
                "decade",
                "facade.defaced"
            })
    void kept(String name) {
        assertThat(FieldNames.fold(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "'', ?key",
        "7, ?key",
        "-5, ?key",
        "users.7, users.?key",
        "users.12345.name, users.?key.name",
        "user12345, ?key",
        "507f1f77bcf86cd799439011, ?key",
        "abcdefabcdefabcdefabcdef, ?key",
        "byUser.f47ac10b-58cc-4372-a567-0e02b2c3d479.n, byUser.?key.n",
        "bob@example.com, ?key",
        "users.bob.smith@example.com.age, ?key",
        "10.0.0.1, ?key.?key.?key.?key",
        "+49 170 1234567, ?key",
        "John Smith, ?key",
        "https://example.com/x, ?key",
        "a..b, a.?key.b",
        "$2b$10$abc, ?key",
        "$where.x, ?key.x",
        "a$b, ?key"
    })
    void folded(String name, String expected) {
        assertThat(FieldNames.fold(name)).isEqualTo(expected);
    }

    @Test
    void longNamesFold() {
        assertThat(FieldNames.fold("x".repeat(FieldNames.MAX_SEGMENT_CHARS))).startsWith("xx");
        assertThat(FieldNames.fold("x".repeat(FieldNames.MAX_SEGMENT_CHARS + 1)))
                .isEqualTo("?key");
        assertThat(FieldNames.fold("a.".repeat(FieldNames.MAX_PATH_CHARS) + "a"))
                .isEqualTo("?key");
    }

    @ParameterizedTest
    @CsvSource({
        "$a.b, $a.b",
        "$$NOW, $$NOW",
        "$$this.name, $$this.name",
        "$users.12345, $users.?key",
        "$2b$10$N9qo8uLOickgx2ZMRZoMye, $?key",
        "$argon2id$v, $?key",
        "'$1,200.50', $?key",
        "$, ",
        "plain, ",
        "'', "
    })
    void expressionPaths(String text, String expected) {
        assertThat(FieldNames.foldExpressionPath(text)).isEqualTo(expected);
    }
}
