package io.scatterguard.protocol.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

class KeyBytesDecoderTest {
    private static List<BsonValue> values() {
        List<BsonValue> values = new ArrayList<>();
        for (String[] equal : KeyBytesTest.ASCENDING) {
            for (String json : equal) {
                values.add(BsonDocument.parse("{v: " + json + "}").get("v"));
            }
        }
        return values;
    }

    private static byte[] bytes(BsonValue value) {
        return KeyBytes.of(BsonValueView.of(value));
    }

    @Test
    void everyValueComesBackEqualInTheServersOrder() {
        for (BsonValue value : values()) {
            List<BsonValue> decoded = KeyBytesDecoder.decode(bytes(value));
            assertThat(decoded).hasSize(1);
            assertThat(bytes(decoded.get(0)))
                    .as("%s came back as %s", value, decoded)
                    .isEqualTo(bytes(value));
        }
    }

    @Test
    void numbersComeBackEqualWhateverTheyAre() {
        Random random = new Random(7);
        for (int i = 0; i < 5_000; i++) {
            long bits = random.nextLong() >> random.nextInt(64);
            BsonValue value = i % 2 == 0 ? new BsonInt64(bits) : new BsonDouble(Double.longBitsToDouble(bits));
            BsonValue decoded = KeyBytesDecoder.decode(bytes(value)).get(0);
            assertThat(bytes(decoded)).as("%s came back as %s", value, decoded).isEqualTo(bytes(value));
        }
    }

    @Test
    void aNumberIsTheSmallestTypeThatHoldsIt() {
        assertThat(roundTrip("{$numberDouble: '-7.0'}").isInt32()).isTrue();
        assertThat(roundTrip("{$numberDecimal: '7.00'}").isInt32()).isTrue();
        assertThat(roundTrip("{$numberLong: '-2147483648'}").isInt32()).isTrue();
        assertThat(roundTrip("{$numberLong: '-2147483649'}").isInt64()).isTrue();
        assertThat(roundTrip("{$numberLong: '9007199254740993'}")).isEqualTo(new BsonInt64(9007199254740993L));
        assertThat(roundTrip("{$numberDouble: '0.5'}")).isEqualTo(new BsonDouble(0.5));
        assertThat(roundTrip("{$numberDecimal: '0.1'}").isDecimal128()).isTrue();
    }

    private static BsonValue roundTrip(String json) {
        return KeyBytesDecoder.decode(
                        bytes(BsonDocument.parse("{v: " + json + "}").get("v")))
                .get(0);
    }

    @Test
    void theFieldsOfACompoundKeyComeBackInTheirOrder() {
        List<BsonValue> values = values();
        for (BsonValue first : values) {
            for (BsonValue second : values) {
                byte[] key = new KeyBytes()
                        .append(bytes(first))
                        .append(bytes(second))
                        .toByteArray();
                List<BsonValue> decoded = KeyBytesDecoder.decode(key);
                assertThat(decoded).hasSize(2);
                assertThat(bytes(decoded.get(0))).isEqualTo(bytes(first));
                assertThat(bytes(decoded.get(1))).isEqualTo(bytes(second));
            }
        }
    }

    @Test
    void whatIsCutShortOrMadeUpIsMalformed() {
        for (BsonValue value : values()) {
            byte[] whole = bytes(value);
            for (int length = 1; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                // A zero byte in a string is an end and an escape, so that only its first half is a whole string too.
                boolean isWhole =
                        value.isString() && value.asString().getValue().indexOf(0) == length - 2;
                if (!isWhole) {
                    assertThatThrownBy(() -> KeyBytesDecoder.decode(cut))
                            .as("%s cut to %s bytes", value, length)
                            .isInstanceOf(MalformedBsonException.class);
                }
            }
        }
        assertThatThrownBy(() -> KeyBytesDecoder.decode(new byte[] {0}))
                .isInstanceOf(MalformedBsonException.class)
                .hasMessageContaining("class byte 0");
    }
}
