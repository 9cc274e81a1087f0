package io.scatterguard.protocol.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BsonViewTest {
    /** What a document can nest in. */
    private enum Nesting {
        DOCUMENT {
            @Override
            BsonValue around(BsonValue inner) {
                return new BsonDocument("a", inner);
            }
        },
        ARRAY {
            @Override
            BsonValue around(BsonValue inner) {
                return new BsonArray(List.of(inner));
            }
        },
        SCOPE {
            @Override
            BsonValue around(BsonValue inner) {
                return new BsonJavaScriptWithScope("f", new BsonDocument("a", inner));
            }
        };

        abstract BsonValue around(BsonValue inner);

        BsonView levels(int levels) {
            BsonValue value = new BsonInt32(1);
            for (int i = 0; i < levels; i++) {
                value = around(value);
            }
            return BsonView.encode(new BsonDocument("a", value));
        }
    }

    @ParameterizedTest
    @EnumSource(Nesting.class)
    void decodesUpToTheDeepestNestingOfTheServer(Nesting nesting) {
        BsonView deepest = nesting.levels(BsonView.MAX_DEPTH);
        assertThat(deepest.toBsonDocument()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Nesting.class)
    void refusesDeeperNestingInsteadOfOverflowingTheStack(Nesting nesting) {
        BsonView tooDeep = nesting.levels(BsonView.MAX_DEPTH + 1);
        assertThatThrownBy(tooDeep::toBsonDocument)
                .isInstanceOf(MalformedBsonException.class)
                .hasMessageContaining("depth");
    }

    @Test
    void refusesFiveThousandLevels() {
        BsonView tooDeep = nested(5_000);
        assertThatThrownBy(tooDeep::toBsonDocument).isInstanceOf(MalformedBsonException.class);
    }

    /** Built from the inside, for encoding recurses as well. */
    private static BsonView nested(int levels) {
        byte[] document = {5, 0, 0, 0, 0};
        for (int i = 0; i < levels; i++) {
            ByteBuffer outer = ByteBuffer.allocate(document.length + 8).order(ByteOrder.LITTLE_ENDIAN);
            outer.putInt(document.length + 8).put((byte) 3).put((byte) 'a').put((byte) 0);
            outer.put(document).put((byte) 0);
            document = outer.array();
        }
        return BsonView.of(Unpooled.wrappedBuffer(document));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "0E+3", "0E-3", "-0E+6000", "0.00"})
    void everyDecimalZeroIsAFalseFlag(String zero) {
        assertThat(decimal(zero).isTruthy()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "-1", "1E-6176", "0.001", "NaN", "Infinity", "-Infinity"})
    void everyOtherDecimalIsATrueFlag(String number) {
        assertThat(decimal(number).isTruthy()).isTrue();
    }

    private static BsonValueView decimal(String number) {
        return BsonValueView.of(new BsonDecimal128(Decimal128.parse(number)));
    }
}
