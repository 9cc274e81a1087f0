package io.scatterguard.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LegacyMessagesTest {
    @ParameterizedTest
    @EnumSource(
            value = OpCode.class,
            names = {"OP_INSERT", "OP_UPDATE", "OP_DELETE"})
    void aWriteShowsItsParts(OpCode opCode) {
        OpWrite write = (OpWrite) WireMessage.decode(legacy(opCode));
        assertThat(write.header().opCode()).isEqualTo(opCode);
        assertThat(write.fullCollectionName()).isEqualTo("shop.orders");
        assertThat(write.flags()).isEqualTo(3);
        assertThat(write.documents().stream().map(BsonView::toBsonDocument))
                .containsExactlyElementsOf(
                        opCode == OpCode.OP_DELETE
                                ? List.of(BsonDocument.parse("{a: 1}"))
                                : List.of(BsonDocument.parse("{a: 1}"), BsonDocument.parse("{b: 2}")));
        write.release();
    }

    @Test
    void aGetMoreAndAKillCursorsShowTheirCursors() {
        OpGetMore getMore = (OpGetMore) WireMessage.decode(legacy(OpCode.OP_GET_MORE));
        assertThat(getMore.fullCollectionName()).isEqualTo("shop.orders");
        assertThat(getMore.numberToReturn()).isEqualTo(20);
        assertThat(getMore.cursorId()).isEqualTo(1L << 40);
        getMore.release();
        OpKillCursors kill = (OpKillCursors) WireMessage.decode(legacy(OpCode.OP_KILL_CURSORS));
        assertThat(kill.size()).isEqualTo(2);
        assertThat(kill.cursorId(0)).isEqualTo(1L << 40);
        assertThat(kill.cursorId(1)).isEqualTo(-7);
        assertThatThrownBy(() -> kill.cursorId(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> kill.cursorId(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        kill.release();
    }

    @ParameterizedTest
    @EnumSource(
            value = OpCode.class,
            names = {"OP_INSERT", "OP_UPDATE", "OP_DELETE", "OP_GET_MORE", "OP_KILL_CURSORS"})
    void cutOffAtEveryLengthIsAnErrorThatReleasesTheBytes(OpCode opCode) {
        ByteBuf whole = legacy(opCode);
        int firstDocumentEnd =
                16 + 4 + 12 + BsonView.encode(BsonDocument.parse("{a: 1}")).sizeBytes();
        for (int length = 16; length < whole.readableBytes(); length++) {
            if (opCode == OpCode.OP_INSERT && length == firstDocumentEnd) {
                continue; // An insert of one document is whole.
            }
            ByteBuf cut = whole.copy(0, length).setIntLE(0, length);
            assertThatThrownBy(() -> WireMessage.decode(cut))
                    .as("%s of %d bytes", opCode, length)
                    .isInstanceOfAny(ProtocolException.class, MalformedBsonException.class);
            assertThat(cut.refCnt()).isZero();
        }
        whole.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 3, 1 << 29, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void aKillCursorsMustHoldAsManyCursorsAsItClaims(int claimed) {
        ByteBuf bytes = legacy(OpCode.OP_KILL_CURSORS).setIntLE(20, claimed);
        assertThatThrownBy(() -> WireMessage.decode(bytes))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("numberOfCursorIDs: " + claimed);
    }

    @ParameterizedTest
    @EnumSource(
            value = OpCode.class,
            names = {"OP_UPDATE", "OP_DELETE", "OP_GET_MORE", "OP_KILL_CURSORS"})
    void bytesAfterTheLastFieldAreAnError(OpCode opCode) {
        ByteBuf whole = legacy(opCode);
        ByteBuf longer = Unpooled.buffer().writeBytes(whole).writeBytes(Frames.document("{}"));
        whole.release();
        longer.setIntLE(0, longer.readableBytes());
        assertThatThrownBy(() -> WireMessage.decode(longer)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void aNamespaceThatNoServerTakesIsAnError() {
        String longest = "shop." + "c".repeat(LegacyFields.MAX_NAME_BYTES - 5);
        WireMessage.decode(Frames.opQuery(1, longest, "{}")).release();
        WireMessage.decode(getMore(longest)).release();
        for (ByteBuf bytes : List.of(Frames.opQuery(1, longest + "c", "{}"), getMore(longest + "c"))) {
            assertThatThrownBy(() -> WireMessage.decode(bytes))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("fullCollectionName: 1025 bytes (expected: at most 1024)");
            assertThat(bytes.refCnt()).isZero();
        }
    }

    private static ByteBuf getMore(String name) {
        ByteBuf body = Unpooled.buffer().writeIntLE(0);
        body.writeBytes(name.getBytes(StandardCharsets.UTF_8)).writeByte(0);
        return Frames.message(
                1, 0, OpCode.OP_GET_MORE.value(), body.writeIntLE(0).writeLongLE(1));
    }

    @ParameterizedTest
    @CsvSource({
        "shop.$cmd, true",
        "admin.$cmd, true",
        "admin.$cmd.sys.inprog, false",
        "shop.orders, false",
        "shop.orders.$cmd, false",
        "$cmd, false",
        "shop, false"
    })
    void onlyTheCollectionCalledCmdTakesCommands(String namespace, boolean command) {
        OpQuery query = (OpQuery) WireMessage.decode(Frames.opQuery(1, namespace, "{ping: 1}"));
        assertThat(query.isCommand()).isEqualTo(command);
        assertThat(query.exhaust()).isFalse();
        query.release();
    }

    private static ByteBuf legacy(OpCode opCode) {
        ByteBuf body = Unpooled.buffer();
        switch (opCode) {
            case OP_INSERT ->
                name(body.writeIntLE(3)).writeBytes(Frames.document("{a: 1}")).writeBytes(two());
            case OP_UPDATE ->
                name(body.writeIntLE(0))
                        .writeIntLE(3)
                        .writeBytes(Frames.document("{a: 1}"))
                        .writeBytes(two());
            case OP_DELETE -> name(body.writeIntLE(0)).writeIntLE(3).writeBytes(Frames.document("{a: 1}"));
            case OP_GET_MORE -> name(body.writeIntLE(0)).writeIntLE(20).writeLongLE(1L << 40);
            default -> body.writeIntLE(0).writeIntLE(2).writeLongLE(1L << 40).writeLongLE(-7);
        }
        return Frames.message(9, 0, opCode.value(), body);
    }

    private static byte[] two() {
        return Frames.document("{b: 2}");
    }

    private static ByteBuf name(ByteBuf body) {
        return body.writeBytes("shop.orders".getBytes(StandardCharsets.UTF_8)).writeByte(0);
    }
}
