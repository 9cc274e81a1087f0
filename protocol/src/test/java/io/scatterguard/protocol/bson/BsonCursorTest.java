package io.scatterguard.protocol.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BsonCursorTest {
    private static BsonCursor cursor(String json) {
        return BsonView.encode(BsonDocument.parse(json)).cursor();
    }

    /** A cursor at a field of this name. */
    private static BsonCursor named(String name) {
        BsonCursor cursor =
                BsonView.encode(new BsonDocument(name, new BsonInt32(1))).cursor();
        cursor.next();
        return cursor;
    }

    @Test
    void entersADocumentAndStartsAgainThere() {
        BsonCursor cursor = cursor("{a: 1, b: {x: 1, y: {z: 1}}, c: 1}");
        cursor.next();
        cursor.next();
        BsonCursor inner = cursor.enter();
        for (int round = 0; round < 2; round++) {
            assertThat(inner.next()).isTrue();
            assertThat(inner.name()).isEqualTo("x");
            assertThat(inner.next()).isTrue();
            assertThat(inner.name()).isEqualTo("y");
            assertThat(inner.next()).isFalse();
            inner.rewind();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{a: 1}", "{a: 'x'}", "{a: null}"})
    void entersNothingElse(String json) {
        BsonCursor cursor = cursor(json);
        cursor.next();
        assertThatThrownBy(cursor::enter).isInstanceOf(MalformedBsonException.class);
    }

    @Test
    void entersNoDocumentWithoutItsTerminator() {
        ByteBuf bytes = Unpooled.wrappedBuffer(
                BsonView.encode(BsonDocument.parse("{a: {x: 1}}")).toByteArray());
        bytes.setByte(bytes.writerIndex() - 2, 1);
        BsonCursor cursor = BsonView.of(bytes).cursor();
        cursor.next();
        assertThatThrownBy(cursor::enter).isInstanceOf(MalformedBsonException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "ab, ab, true, true, true",
        "ab, a, false, true, false",
        "a, ab, false, false, true",
        "ab, ac, false, false, false",
        "é, é, false, false, false",
        "a, é, false, false, false",
        "'', '', true, true, true",
        "'', a, false, false, true"
    })
    void comparesItsNameWithAsciiOnly(String name, String text, boolean equal, boolean starts, boolean prefix) {
        BsonCursor cursor = named(name);
        assertThat(cursor.nameEquals(text)).isEqualTo(equal);
        assertThat(cursor.nameStartsWith(text)).isEqualTo(starts);
        assertThat(cursor.nameIsPrefixOf(text)).isEqualTo(prefix);
    }

    /** Cut to a byte, é would be E9; alone it is no UTF-8, but may stand in a name. */
    @Test
    void doesNotTakeAByteForTheCharacterOfItsNumber() {
        ByteBuf bytes = Unpooled.wrappedBuffer(
                BsonView.encode(BsonDocument.parse("{a: 1}")).toByteArray());
        bytes.setByte(5, 0xe9);
        BsonCursor cursor = BsonView.of(bytes).cursor();
        cursor.next();
        assertThat(cursor.nameEquals("é")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "customer", "$clusterTime"})
    void hashesItsNameAsAStringDoes(String name) {
        assertThat(named(name).nameHash()).isEqualTo(name.hashCode());
        assertThat(named(name).nameIsAscii()).isTrue();
        assertThat(named(name + "é").nameIsAscii()).isFalse();
    }

    @Test
    void readsAStringOnceFromACache() {
        StringCache cache = new StringCache();
        String first = text("orders", cache);
        assertThat(text("orders", cache)).isSameAs(first);
        for (int i = 0; i < 1_000; i++) {
            assertThat(text("c" + i, cache)).isEqualTo("c" + i);
        }
        for (String text : new String[] {"", "é", "a\0b", "orders", "x".repeat(200)}) {
            assertThat(text(text, cache)).isEqualTo(text);
            assertThat(text(text, cache)).isEqualTo(text);
        }
    }

    @Test
    void readsOnlyTheBeginningOfWhatIsTooLongForAName() {
        String longest = "x".repeat(StringCache.MAX_READ_BYTES);
        assertThat(text(longest, new StringCache())).isEqualTo(longest);
        assertThat(text(longest + "y", new StringCache())).isEqualTo(longest);
    }

    private static String text(String value, StringCache cache) {
        BsonCursor cursor =
                BsonView.encode(new BsonDocument("a", new BsonString(value))).cursor();
        cursor.next();
        return cursor.string(cache);
    }

    @Test
    void readsNoStringFromAnotherType() {
        assertThatThrownBy(() -> named("a").string(new StringCache())).isInstanceOf(MalformedBsonException.class);
    }

    @Test
    void findsTheEndOfANameOfAnyLengthAnywhere() {
        for (int length = 0; length < 40; length++) {
            ByteBuf bytes = Unpooled.buffer();
            bytes.writeZero(3);
            for (int i = 0; i < length; i++) {
                bytes.writeByte(i % 3 == 0 ? 0x80 : i % 3 == 1 ? 0x01 : 0xff);
            }
            int limit = bytes.writerIndex();
            bytes.writeZero(1).writeByte(1).writeZero(20);
            assertThat(BsonCursor.cStringLength(bytes, 3, bytes.writerIndex())).isEqualTo(length);
            assertThat(BsonCursor.cStringLength(bytes, 3, limit + 1)).isEqualTo(length);
            assertThatThrownBy(() -> BsonCursor.cStringLength(bytes, 3, limit))
                    .isInstanceOf(MalformedBsonException.class);
        }
    }
}
