package io.scatterguard.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.WireMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a decoder does with requests that need a reservation. */
class LargeRequestsTest {
    private static final int LARGE = 200_000;

    private final RequestBudget budget = new RequestBudget(300_000);
    private final List<RequestProgress> progress = new ArrayList<>();
    private final EmbeddedChannel channel = channel();
    private final EmbeddedChannel other = channel();

    private EmbeddedChannel channel() {
        return new EmbeddedChannel(new RequestDecoder(() -> 48_000_000, budget), new ChannelInboundHandlerAdapter() {
            @Override
            public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                progress.add((RequestProgress) event);
            }
        });
    }

    @AfterEach
    void end() {
        channel.finishAndReleaseAll();
        other.finishAndReleaseAll();
        assertThat(budget.reservedBytes()).as("reserved at the end").isZero();
        assertThat(budget.waiting()).as("waiting at the end").isZero();
    }

    @Test
    void aSmallRequestReservesNothingAndTheNextLargerOneDoes() {
        channel.writeInbound(message(1, RequestBudget.FREE_BYTES));
        assertThat(budget.reservedBytes()).isZero();
        assertThat(progress).isEmpty();
        channel.writeInbound(message(2, RequestBudget.FREE_BYTES + 1));
        assertThat(budget.reservedBytes()).isEqualTo(RequestBudget.FREE_BYTES + 1);
        assertThat(progress).containsExactly(RequestProgress.READING, RequestProgress.WHOLE);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 17, 1_000, 70_000, LARGE})
    void theReservationIsMadeByTheHeaderAndEndsWithTheBytes(int firstPart) {
        ByteBuf all = message(1, LARGE);
        channel.writeInbound(all.readBytes(firstPart));
        assertThat(budget.reservedBytes()).isEqualTo(LARGE);
        channel.writeInbound(all);
        WireMessage message = channel.readInbound();
        ByteBuf forwarded = message.bytes().retainedDuplicate();
        message.release();
        assertThat(budget.reservedBytes()).as("still to be written").isEqualTo(LARGE);
        assertThat(forwarded.readableBytes()).isEqualTo(LARGE);
        ByteBuf lastPiece = forwarded.readRetainedSlice(10);
        forwarded.release();
        assertThat(budget.reservedBytes())
                .as("a piece of it is still to be written")
                .isEqualTo(LARGE);
        lastPiece.release();
        assertThat(budget.reservedBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 1_000, LARGE})
    void oneThatFindsNoRoomWaitsAndNothingBehindItIsDecoded(int firstPart) {
        channel.writeInbound(message(1, LARGE));
        progress.clear();
        ByteBuf second = message(2, LARGE);
        other.writeInbound(second.readBytes(firstPart));
        assertThat(progress).containsExactly(RequestProgress.WAITING);
        other.writeInbound(second);
        other.writeInbound(message(3, 100));
        assertThat(other.<Object>readInbound()).isNull();
        channel.<WireMessage>readInbound().release();
        other.runPendingTasks();
        assertThat(progress).containsExactly(RequestProgress.WAITING, RequestProgress.READING, RequestProgress.WHOLE);
        assertThat(requestIds(other)).containsExactly(2, 3);
    }

    @Test
    void oneBehindAnotherOfTheSameConnectionWaitsForIt() {
        ByteBuf both = Unpooled.wrappedBuffer(message(1, LARGE), message(2, LARGE), message(3, 100));
        channel.writeInbound(both);
        assertThat(requestIds(channel)).containsExactly(1);
        channel.runPendingTasks();
        assertThat(requestIds(channel)).containsExactly(2, 3);
    }

    @Test
    void whatACompressedOneInflatesToIsReservedToo() {
        ByteBuf message = compressed(1, 100, 250_000);
        channel.writeInbound(message.readBytes(24));
        assertThat(budget.reservedBytes()).isZero();
        channel.writeInbound(message.readBytes(1));
        assertThat(budget.reservedBytes()).isEqualTo(250_100);
        channel.writeInbound(message);
        assertThat(requestIds(channel)).containsExactly(1);
    }

    @Test
    void aCompressedOneThatIsAllHeadIsDecodedAfterItsWait() {
        channel.writeInbound(message(1, LARGE));
        other.writeInbound(compressed(2, 25, 48_000_000));
        assertThat(other.<Object>readInbound()).isNull();
        channel.<WireMessage>readInbound().release();
        other.runPendingTasks();
        assertThat(requestIds(other)).containsExactly(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 0})
    void aClaimOfLessThanNothingReservesNothing(int claimed) {
        channel.writeInbound(compressed(1, 100, claimed));
        assertThat(requestIds(channel)).containsExactly(1);
        assertThat(progress).isEmpty();
    }

    @Test
    void aHugeClaimIsNoMoreThanTheLargestMessage() {
        RequestBudget wide = new RequestBudget(Long.MAX_VALUE);
        EmbeddedChannel fresh = new EmbeddedChannel(new RequestDecoder(() -> 48_000_000, wide));
        fresh.writeInbound(compressed(1, 100, Integer.MAX_VALUE).slice(0, 50));
        assertThat(wide.reservedBytes()).isEqualTo(48_000_100);
        fresh.finishAndReleaseAll();
        assertThat(wide.reservedBytes()).isZero();
    }

    @Test
    void whoLeavesWhileItWaitsIsForgotten() {
        channel.writeInbound(message(1, LARGE));
        other.writeInbound(message(2, LARGE));
        other.finishAndReleaseAll();
        assertThat(budget.waiting()).isZero();
        channel.<WireMessage>readInbound().release();
        assertThat(budget.reservedBytes()).isZero();
    }

    @Test
    void partsThatDoNotFillTheirBuffersAreNotKept() {
        ByteBuf all = message(1, LARGE);
        List<ByteBuf> reads = new ArrayList<>();
        while (all.isReadable()) {
            ByteBuf read = UnpooledByteBufAllocator.DEFAULT.buffer(64 * 1024);
            read.writeBytes(all, Math.min(20_000, all.readableBytes()));
            reads.add(read);
            channel.writeInbound(read);
        }
        assertThat(reads).allMatch(read -> read.refCnt() == 0);
        assertThat(requestIds(channel)).containsExactly(1);
    }

    private static ByteBuf message(int requestId, int length) {
        return Frames.message(requestId, 0, 4242, Unpooled.buffer().writeZero(length - 16));
    }

    private static ByteBuf compressed(int requestId, int length, int uncompressedSize) {
        ByteBuf body =
                Unpooled.buffer().writeIntLE(2013).writeIntLE(uncompressedSize).writeByte(2);
        return Frames.message(requestId, 0, 2012, body.writeZero(length - 25));
    }

    private static List<Integer> requestIds(EmbeddedChannel from) {
        List<Integer> ids = new ArrayList<>();
        WireMessage message = from.readInbound();
        while (message != null) {
            ids.add(message.header().requestId());
            message.release();
            message = from.readInbound();
        }
        return ids;
    }
}
