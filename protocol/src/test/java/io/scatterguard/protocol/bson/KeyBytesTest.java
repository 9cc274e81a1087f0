package io.scatterguard.protocol.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.assertj.core.data.Index;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyBytesTest {
    /** Values in the server's order (targeting semantics §4); a line's values are equal to each other. */
    static final String[][] ASCENDING = {
        {"{\"$minKey\": 1}"},
        {"{\"$undefined\": true}"},
        {"null"},
        {"{\"$numberDouble\": \"NaN\"}", "{\"$numberDecimal\": \"NaN\"}"},
        {"{\"$numberDouble\": \"-Infinity\"}", "{\"$numberDecimal\": \"-Infinity\"}"},
        {"{\"$numberDecimal\": \"-1E+6000\"}"},
        {"{\"$numberDouble\": \"-1.7976931348623157E308\"}"},
        {"{\"$numberLong\": \"-9223372036854775808\"}", "{\"$numberDecimal\": \"-9223372036854775808\"}"},
        {"{\"$numberLong\": \"-9223372036854775807\"}"},
        {"{\"$numberInt\": \"-1\"}", "{\"$numberDouble\": \"-1.0\"}", "{\"$numberDecimal\": \"-1.00\"}"},
        {"{\"$numberDecimal\": \"-0.1\"}"},
        {"{\"$numberDouble\": \"-4.9E-324\"}"},
        {"{\"$numberDecimal\": \"-1E-6000\"}"},
        {"0", "{\"$numberDouble\": \"-0.0\"}", "{\"$numberDecimal\": \"-0.00\"}", "{\"$numberLong\": \"0\"}"},
        {"{\"$numberDecimal\": \"1E-6000\"}"},
        {"{\"$numberDouble\": \"0.1\"}"},
        {"{\"$numberDecimal\": \"0.1000000000000000055511151231257828\"}"},
        {"{\"$numberDouble\": \"0.5\"}", "{\"$numberDecimal\": \"0.50\"}"},
        {"{\"$numberLong\": \"9007199254740992\"}", "{\"$numberDouble\": \"9007199254740992\"}"},
        {"{\"$numberLong\": \"9007199254740993\"}", "{\"$numberDecimal\": \"9007199254740993\"}"},
        {"{\"$numberDecimal\": \"9007199254740993.5\"}"},
        {"{\"$numberLong\": \"9007199254740994\"}"},
        {"{\"$numberLong\": \"9223372036854775807\"}"},
        {"{\"$numberDouble\": \"9223372036854775808\"}", "{\"$numberDecimal\": \"9223372036854775808\"}"},
        {"{\"$numberDecimal\": \"1E+6000\"}"},
        {"{\"$numberDouble\": \"Infinity\"}", "{\"$numberDecimal\": \"Infinity\"}"},
        {"\"\""},
        {"\"a\"", "{\"$symbol\": \"a\"}"},
        {"\"a\\u0000\""},
        {"\"ab\""},
        {"\"b\""},
        {"\"\u00e9\""},
        {"{}"},
        {"{\"a\": 1}", "{\"a\": {\"$numberDouble\": \"1.0\"}}"},
        {"{\"a\": 1, \"b\": 0}"},
        {"{\"b\": 0}"},
        {"{\"a\": \"x\"}"},
        {"[]"},
        {"[1]"},
        {"[1, 0]"},
        {"[2]"},
        {"[[]]"},
        {"{\"$binary\": {\"base64\": \"\", \"subType\": \"00\"}}"},
        {"{\"$binary\": {\"base64\": \"/w==\", \"subType\": \"00\"}}"},
        {"{\"$binary\": {\"base64\": \"AA==\", \"subType\": \"04\"}}"},
        {"{\"$binary\": {\"base64\": \"AAA=\", \"subType\": \"00\"}}"},
        {"{\"$oid\": \"000000000000000000000000\"}"},
        {"{\"$oid\": \"ff0000000000000000000000\"}"},
        {"false"},
        {"true"},
        {"{\"$date\": {\"$numberLong\": \"-5\"}}"},
        {"{\"$date\": {\"$numberLong\": \"5\"}}"},
        {"{\"$timestamp\": {\"t\": 1, \"i\": 2}}"},
        {"{\"$timestamp\": {\"t\": 4294967295, \"i\": 0}}"},
        {"{\"$regularExpression\": {\"pattern\": \"\", \"options\": \"\"}}"},
        {"{\"$regularExpression\": {\"pattern\": \"a\", \"options\": \"\"}}"},
        {"{\"$regularExpression\": {\"pattern\": \"a\", \"options\": \"i\"}}"},
        {"{\"$dbPointer\": {\"$ref\": \"b\", \"$id\": {\"$oid\": \"000000000000000000000000\"}}}"},
        {"{\"$code\": \"\"}"},
        {"{\"$code\": \"f\"}"},
        {"{\"$code\": \"f\", \"$scope\": {}}"},
        {"{\"$code\": \"f\", \"$scope\": {\"a\": 1}}"},
        {"{\"$maxKey\": 1}"},
    };

    @Test
    void ordersEveryPairAsTheServerDoes() {
        for (int i = 0; i < ASCENDING.length; i++) {
            for (int j = 0; j < ASCENDING.length; j++) {
                for (String a : ASCENDING[i]) {
                    for (String b : ASCENDING[j]) {
                        assertThat(Integer.signum(KeyBytes.compare(key(a), key(b))))
                                .as("%s <=> %s", a, b)
                                .isEqualTo(Integer.compare(i, j));
                    }
                }
            }
        }
    }

    @Test
    void whatFollowsInACompoundKeyNeverOutweighsTheFieldBefore() {
        byte[] highest = KeyBytes.of(BsonValueView.MAX_KEY);
        byte[] lowest = KeyBytes.of(BsonValueView.MIN_KEY);
        for (int i = 0; i + 1 < ASCENDING.length; i++) {
            byte[] smaller =
                    new KeyBytes().append(key(ASCENDING[i][0])).append(highest).toByteArray();
            byte[] larger = new KeyBytes()
                    .append(key(ASCENDING[i + 1][0]))
                    .append(lowest)
                    .toByteArray();
            assertThat(KeyBytes.compare(smaller, larger))
                    .as("(%s, MaxKey) <=> (%s, MinKey)", ASCENDING[i][0], ASCENDING[i + 1][0])
                    .isNegative();
        }
    }

    private static byte[] key(String json) {
        return KeyBytes.of(
                BsonValueView.of(BsonDocument.parse("{\"v\": " + json + "}").get("v")));
    }

    @Test
    void isComparedWithoutBeingCopiedAndTakesBackWhatWasAppended() {
        byte[] five = KeyBytes.of(BsonValueView.of(new BsonInt32(5)));
        KeyBytes key = new KeyBytes(1).append(five);
        int one = key.size();
        assertThat(key.compareTo(five)).isZero();
        key.append(BsonValueView.NULL);
        assertThat(key.compareTo(five)).isPositive();
        key.truncate(one);
        assertThat(key.compareTo(five)).isZero();
        assertThat(KeyBytes.wrap(five).compareTo(five)).isZero();
        assertThatThrownBy(() -> key.truncate(one + 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "\0", "a\0b", "\0\0", "a\0\0b\0", "é\0é"})
    void escapesEveryZeroByteOfAString(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        ByteBuf expected = Unpooled.buffer();
        expected.writeByte(TypeClass.STRING.keyByte());
        for (byte b : utf8) {
            expected.writeByte(b);
            if (b == 0) {
                expected.writeByte(0xff);
            }
        }
        expected.writeByte(0);
        byte[] bytes = ByteBufUtil.getBytes(expected);
        assertThat(KeyBytes.of(BsonValueView.of(new BsonString(text)))).isEqualTo(bytes);
        assertThat(KeyBytes.ofUtf8(utf8)).isEqualTo(bytes);
    }

    @Test
    void takesBytesOfAnyNumberAsTheyAre() {
        for (int length = 0; length < 200; length++) {
            byte[] data = new byte[length];
            for (int i = 0; i < length; i++) {
                data[i] = (byte) (i * 37);
            }
            byte[] key = KeyBytes.of(BsonValueView.of(new BsonBinary((byte) 5, data)));
            assertThat(key).hasSize(6 + length).endsWith(data).contains(5, Index.atIndex(5));
        }
    }
}
