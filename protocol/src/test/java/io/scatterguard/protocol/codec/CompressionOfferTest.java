package io.scatterguard.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.WireMessage;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionOfferTest {
    private static final String HELLO = "{hello: 1, compression: %s, $db: 'admin'}";

    private final MessageCompression compression = MessageCompression.load();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "['brotli', 'zlib', 'lz4', 'snappy']; ['zlib', 'snappy']",
                "['zstd', 'None', 'none']; ['zstd', 'none']",
                "['Zlib', 'zlib ', '']; []",
                "['lz4', 5, 'zstd', {a: 'zlib'}]; [5, 'zstd', {a: 'zlib'}]"
            })
    void takesOutWhatWeCannotReadAndKeepsTheOrder(String offered, String kept) {
        for (int flagBits : new int[] {0, OpMsg.CHECKSUM_PRESENT, OpMsg.EXHAUST_ALLOWED | OpMsg.CHECKSUM_PRESENT}) {
            OpMsg message = (OpMsg) WireMessage.decode(Frames.opMsg(5, flagBits, HELLO.formatted(offered)));
            ByteBuf changed = changed(message, message.body(), message.body());
            // The whole frame as a client would have sent it, with its elements numbered and its checksum right.
            assertThat(ByteBufUtil.hexDump(changed))
                    .isEqualTo(ByteBufUtil.hexDump(Frames.opMsg(5, flagBits, HELLO.formatted(kept))));
            changed.release();
            message.release();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{isMaster: 1, compression: %s, helloOk: true}",
                "{$query: {isMaster: 1, compression: %s, helloOk: true}, $readPreference: {mode: 'primary'}}",
                "{query: {isMaster: 1, compression: %s, helloOk: true}}"
            })
    void worksInAnOpQueryWrappedOrNot(String query) {
        OpQuery message =
                (OpQuery) WireMessage.decode(Frames.opQuery(5, "admin.$cmd", query.formatted("['lz4', 'zlib']")));
        ByteBuf changed =
                changed(message, message.query(), CommandView.of(message).body());
        assertThat(ByteBufUtil.hexDump(changed))
                .isEqualTo(ByteBufUtil.hexDump(Frames.opQuery(5, "admin.$cmd", query.formatted("['zlib']"))));
        changed.release();
        message.release();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "['snappy', 'zlib', 'zstd']",
                "['none']",
                "['zstd', 'none']",
                "['zstd']",
                "['noop']",
                "[]",
                "'lz4'",
                "{a: 'lz4'}",
                "[7, null, ['lz4']]",
                "null"
            })
    void whatCanBeReadOrIsNoOfferStaysUntouched(String offered) {
        OpMsg message = (OpMsg) WireMessage.decode(Frames.opMsg(5, 0, HELLO.formatted(offered)));
        assertThat(offer(message, message.body(), message.body())).isNull();
        message.release();
        OpMsg elsewhere = (OpMsg) WireMessage.decode(Frames.opMsg(5, 0, "{hello: 1, x: {compression: ['lz4']}}"));
        assertThat(offer(elsewhere, elsewhere.body(), elsewhere.body())).isNull();
        elsewhere.release();
    }

    @Test
    void everyOfferOfTheNameIsRead() {
        ByteBuf twice =
                Frames.opMsg(5, 0, "{hello: 1, compressioX: ['lz4'], a: 1, compressioY: ['zlib', 'lz4'], b: 2}");
        for (byte last : new byte[] {'X', 'Y'}) {
            twice.setByte(twice.indexOf(0, twice.writerIndex(), last), 'n');
        }
        OpMsg message = (OpMsg) WireMessage.decode(twice);
        OpMsg changed = (OpMsg) WireMessage.decode(changed(message, message.body(), message.body()));
        assertThat(offer(changed, changed.body(), changed.body())).isNull();
        assertThat(changed.body().toBsonDocument())
                .isEqualTo(BsonDocument.parse("{hello: 1, a: 1, compression: ['zlib'], b: 2}"));
        changed.release();
        message.release();
    }

    private ByteBuf changed(WireMessage message, BsonView outer, BsonView hello) {
        ByteBuf before = message.bytes().copy();
        ByteBuf changed = offer(message, outer, hello);
        assertThat(changed).isNotNull();
        assertThat(message.bytes()).isEqualTo(before);
        before.release();
        return changed;
    }

    private @Nullable ByteBuf offer(WireMessage message, BsonView outer, BsonView hello) {
        return CompressionOffer.readable(
                UnpooledByteBufAllocator.DEFAULT, message.bytes(), outer, hello, compression, message instanceof OpMsg);
    }
}
