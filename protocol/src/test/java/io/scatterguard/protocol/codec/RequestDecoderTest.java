package io.scatterguard.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OtherMessage;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {
    private final EmbeddedChannel channel =
            new EmbeddedChannel(new RequestDecoder(() -> MessageHeader.DEFAULT_MAX_MESSAGE_BYTES));

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 15, 16, 17, 1000, 65_536, 1_000_000})
    void givesTheSameMessagesHoweverTheyArrive(int partBytes) {
        // Single bytes of a large message would take the leak detector minutes.
        int filler = partBytes < 1_000 ? 300 : FrameAssembly.COPY_LIMIT_BYTES;
        List<byte[]> sent = List.of(
                bytes(Frames.opMsg(1, 0, "{ping: 1}")),
                bytes(Frames.opQuery(2, "admin.$cmd", "{isMaster: 1}")),
                bytes(Frames.opMsg(3, 0, "{find: 'c', filter: {x: '" + "y".repeat(filler) + "'}}")),
                bytes(Frames.message(4, 0, 4242, Unpooled.buffer())),
                bytes(Frames.opMsg(5, 0, "{ping: 1}")));
        ByteBuf all = Unpooled.buffer();
        sent.forEach(all::writeBytes);
        while (all.isReadable()) {
            channel.writeInbound(all.readBytes(Math.min(partBytes, all.readableBytes())));
        }
        assertThat(received()).containsExactlyElementsOf(sent);
        assertThat(channel.finishAndReleaseAll()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 15, Integer.MIN_VALUE, Integer.MAX_VALUE, MessageHeader.DEFAULT_MAX_MESSAGE_BYTES + 1})
    void aWrongLengthPoisonsTheDecoder(int length) {
        for (boolean inParts : new boolean[] {false, true}) {
            EmbeddedChannel fresh =
                    new EmbeddedChannel(new RequestDecoder(() -> MessageHeader.DEFAULT_MAX_MESSAGE_BYTES));
            ByteBuf bad = Frames.opMsg(1, 0, "{ping: 1}");
            bad.setIntLE(0, length);
            if (inParts) {
                fresh.writeInbound(bad.readBytes(10));
            }
            assertThatThrownBy(() -> fresh.writeInbound(bad))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessage("messageLength: " + length + " (expected: 16..48000000)");
            assertThat(fresh.writeInbound(Frames.opMsg(2, 0, "{ping: 1}")))
                    .as("nothing is decoded after a framing error")
                    .isFalse();
            fresh.finishAndReleaseAll();
        }
    }

    /** A message that breaks the protocol inside is fired unread by one that is lenient at that moment; a wrong length never is. */
    @Test
    void aLenientOneFiresWhatItCannotRead() {
        AtomicBoolean lenient = new AtomicBoolean(true);
        RequestDecoder decoder = new RequestDecoder(
                () -> MessageHeader.DEFAULT_MAX_MESSAGE_BYTES, RequestBudget.unlimited(), lenient::get);
        EmbeddedChannel some = new EmbeddedChannel(decoder);
        ByteBuf bad = Frames.message(1, 0, OpCode.OP_MSG.value(), Unpooled.wrappedBuffer(new byte[] {8, 0, 0, 0, 77}));
        byte[] sent = ByteBufUtil.getBytes(bad);
        some.writeInbound(bad.copy());
        some.writeInbound(Frames.opMsg(2, 0, "{ping: 1}"));
        WireMessage unread = some.readInbound();
        assertThat(unread).isInstanceOf(OtherMessage.class);
        assertThat(ByteBufUtil.getBytes(unread.bytes())).isEqualTo(sent);
        unread.release();
        WireMessage read = some.readInbound();
        assertThat(read).isInstanceOf(OpMsg.class);
        read.release();
        lenient.set(false);
        assertThatThrownBy(() -> some.writeInbound(bad)).isInstanceOf(ProtocolException.class);
        some.finishAndReleaseAll();
    }

    @Test
    void theSmallestAndTheLargestLengthAreAccepted() {
        EmbeddedChannel small = new EmbeddedChannel(new RequestDecoder(() -> 40));
        assertThat(small.writeInbound(Frames.message(1, 0, 99, Unpooled.buffer())))
                .isTrue();
        assertThat(small.writeInbound(Frames.message(2, 0, 99, Unpooled.buffer().writeZero(24))))
                .isTrue();
        assertThatThrownBy(() -> small.writeInbound(
                        Frames.message(3, 0, 99, Unpooled.buffer().writeZero(25))))
                .isInstanceOf(ProtocolException.class);
        small.finishAndReleaseAll();
    }

    @Test
    void memoryFollowsWhatArrivedNotWhatWasPromised() {
        AtomicLong live = new AtomicLong();
        ByteBufAllocator counting = new CountingAllocator(live);
        EmbeddedChannel fresh = new EmbeddedChannel();
        fresh.config().setAllocator(counting);
        fresh.pipeline().addLast(new RequestDecoder(() -> 48_000_000));
        ByteBuf header = Unpooled.buffer()
                .writeIntLE(48_000_000)
                .writeIntLE(1)
                .writeIntLE(0)
                .writeIntLE(2013);
        fresh.writeInbound(header);
        assertThat(live.get()).isLessThanOrEqualTo(1024);
        // Single bytes, each in a read buffer of its own, must not keep those buffers.
        for (int i = 0; i < 1_000; i++) {
            ByteBuf read = counting.buffer(2048).writeByte(1);
            fresh.writeInbound(read);
        }
        assertThat(live.get()).isLessThanOrEqualTo(2 * FrameAssembly.COPY_LIMIT_BYTES);
        fresh.finishAndReleaseAll();
        assertThat(live.get()).isZero();
    }

    @Test
    void whatIsHalfThereIsReleasedWithTheHandler() {
        ByteBuf part = Frames.opMsg(1, 0, "{ping: 1}").readBytes(20);
        ByteBuf largePart = Unpooled.buffer()
                .writeIntLE(1_000_000)
                .writeIntLE(1)
                .writeIntLE(0)
                .writeIntLE(2013);
        largePart.writeZero(1000);
        for (ByteBuf bytes : List.of(part, largePart)) {
            EmbeddedChannel fresh = new EmbeddedChannel(new RequestDecoder(() -> 48_000_000));
            fresh.writeInbound(bytes);
            fresh.pipeline().remove(RequestDecoder.class);
            assertThat(bytes.refCnt()).isZero();
            fresh.finishAndReleaseAll();
        }
    }

    private List<byte[]> received() {
        List<byte[]> received = new ArrayList<>();
        WireMessage message = channel.readInbound();
        while (message != null) {
            received.add(ByteBufUtil.getBytes(message.bytes()));
            message.release();
            message = channel.readInbound();
        }
        return received;
    }

    private static byte[] bytes(ByteBuf buf) {
        byte[] bytes = ByteBufUtil.getBytes(buf);
        buf.release();
        return bytes;
    }
}
