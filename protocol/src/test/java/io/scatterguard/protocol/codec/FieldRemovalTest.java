package io.scatterguard.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.WireMessage;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldRemovalTest {
    private static final String HELLO = "{hello: 1, compression: ['zlib', 'snappy'], $db: 'admin'}";

    @ParameterizedTest
    @ValueSource(ints = {0, OpMsg.CHECKSUM_PRESENT, OpMsg.EXHAUST_ALLOWED | OpMsg.CHECKSUM_PRESENT})
    void takesTheFieldAndTheChecksumOut(int flagBits) {
        OpMsg message = (OpMsg) WireMessage.decode(Frames.opMsg(5, flagBits, HELLO));
        OpMsg changed = (OpMsg) WireMessage.decode(without(message, message.body(), message.body(), true));
        assertThat(changed.body().toBsonDocument()).isEqualTo(BsonDocument.parse("{hello: 1, $db: 'admin'}"));
        assertThat(changed.flagBits()).isEqualTo(flagBits & ~OpMsg.CHECKSUM_PRESENT);
        assertThat(changed.header().requestId()).isEqualTo(5);
        assertThat(changed.header().messageLength()).isEqualTo(changed.bytes().readableBytes());
        changed.release();
        message.release();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{isMaster: 1, compression: ['zlib'], helloOk: true}",
                "{$query: {isMaster: 1, compression: ['zlib'], helloOk: true}, a: 1}"
            })
    void worksInAnOpQueryWrappedOrNot(String query) {
        OpQuery message = (OpQuery) WireMessage.decode(Frames.opQuery(5, "admin.$cmd", query));
        CommandView command = CommandView.of(message);
        OpQuery changed = (OpQuery) WireMessage.decode(without(message, message.query(), command.body(), false));
        assertThat(CommandView.of(changed).body().toBsonDocument())
                .isEqualTo(BsonDocument.parse("{isMaster: 1, helloOk: true}"));
        changed.release();
        message.release();
    }

    @Test
    void takesEveryOccurrenceOut() {
        ByteBuf twice = Frames.opMsg(5, 0, "{hello: 1, compressioX: ['zlib'], a: 1, compressioY: ['snappy'], b: 2}");
        for (byte last : new byte[] {'X', 'Y'}) {
            twice.setByte(twice.indexOf(0, twice.writerIndex(), last), 'n');
        }
        OpMsg message = (OpMsg) WireMessage.decode(twice);
        OpMsg changed = (OpMsg) WireMessage.decode(without(message, message.body(), message.body(), true));
        assertThat(changed.body().toBsonDocument()).isEqualTo(BsonDocument.parse("{hello: 1, a: 1, b: 2}"));
        changed.release();
        message.release();
    }

    @Test
    void withoutTheFieldThereIsNothingToDo() {
        OpMsg message = (OpMsg) WireMessage.decode(Frames.opMsg(5, 0, "{hello: 1, x: {compression: 1}}"));
        assertThat(FieldRemoval.without(
                        UnpooledByteBufAllocator.DEFAULT,
                        message.bytes(),
                        message.body(),
                        message.body(),
                        "compression",
                        true))
                .isNull();
        message.release();
    }

    private static ByteBuf without(WireMessage message, BsonView outer, BsonView holder, boolean opMsg) {
        ByteBuf changed = FieldRemoval.without(
                UnpooledByteBufAllocator.DEFAULT, message.bytes(), outer, holder, "compression", opMsg);
        assertThat(changed).isNotNull();
        return changed;
    }
}
