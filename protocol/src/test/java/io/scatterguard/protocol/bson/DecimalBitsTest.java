package io.scatterguard.protocol.bson;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDecimal128;
import org.bson.types.Decimal128;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What more than 34 digits are, and their neighbours that are a number. */
class DecimalBitsTest {
    private static final byte[] ZERO = KeyBytes.of(BsonValueView.of(new BsonDecimal128(Decimal128.POSITIVE_ZERO)));

    private static BsonValueView view(String high, String low) {
        Decimal128 value =
                Decimal128.fromIEEE754BIDEncoding(Long.parseUnsignedLong(high, 16), Long.parseUnsignedLong(low, 16));
        return BsonValueView.of(new BsonDecimal128(value));
    }

    /** The first two are 10^34 and its negative; then the largest of the short form, and some of the long one. */
    @ParameterizedTest
    @CsvSource({
        "3041ed09bead87c0, 378d8e6400000000",
        "b041ed09bead87c0, 378d8e6400000000",
        "3041ffffffffffff, ffffffffffffffff",
        "5ffdffffffffffff, ffffffffffffffff",
        "6c10000000000000, 0000000000000001",
        "ec10000000000000, 0000000000000001",
        "77ffffffffffffff, ffffffffffffffff"
    })
    void tooManyDigitsAreAZero(String high, String low) {
        BsonValueView value = view(high, low);
        assertThat(value.isTruthy()).isFalse();
        assertThat(value.numberAsLong()).isZero();
        assertThat(KeyBytes.of(value)).isEqualTo(ZERO);
        assertThat(HashedKey.hash(value))
                .isEqualTo(HashedKey.hash(BsonValueView.of(new BsonDecimal128(Decimal128.POSITIVE_ZERO))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9999999999999999999999999999999999",
                "-9999999999999999999999999999999999",
                "9.999999999999999999999999999999999E+6144",
                "1E-6176"
            })
    void asManyAsThereMayBeAreANumber(String number) {
        BsonValueView value = BsonValueView.of(new BsonDecimal128(Decimal128.parse(number)));
        assertThat(value.isTruthy()).isTrue();
        assertThat(value.decimal128()).isEqualTo(Decimal128.parse(number));
        assertThat(KeyBytes.of(value)).isNotEqualTo(ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Infinity", "-Infinity", "NaN"})
    void whatIsNotFiniteIsNoZero(String number) {
        BsonValueView value = BsonValueView.of(new BsonDecimal128(Decimal128.parse(number)));
        assertThat(value.isTruthy()).isTrue();
        assertThat(KeyBytes.of(value)).isNotEqualTo(ZERO);
    }
}
