package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.scatterguard.protocol.codec.RequestBudget;
import io.scatterguard.protocol.codec.RequestDecoder;
import io.scatterguard.protocol.codec.RequestProgress;
import io.scatterguard.protocol.codec.Reservation;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.session.CloseCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who loses the room that large requests share, and who does not: a stall timeout is a second here. */
class RequestWatchTest {
    private static final int LARGE = 4 * RequestWatch.LEAST_BYTES;

    private final RequestBudget budget = new RequestBudget(3 * LARGE);
    private final List<CloseCause> ended = new ArrayList<>();
    private final List<WireMessage> requests = new ArrayList<>();
    private boolean paused;
    private final EmbeddedChannel channel = new EmbeddedChannel();

    RequestWatchTest() {
        RequestDecoder decoder = new RequestDecoder(() -> 48_000_000, budget);
        Duration second = Duration.ofSeconds(1);
        RequestWatch watch = new RequestWatch(
                new RequestWatch.Events(waits -> paused = waits, () -> paused, ended::add),
                decoder,
                budget,
                new ClientTimeouts(second, Duration.ZERO, Duration.ofMillis(2_500), second));
        channel.freezeTime();
        channel.pipeline().addLast(decoder, new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object msg) {
                requests.add((WireMessage) msg);
            }

            @Override
            public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                watch.on((RequestProgress) event, ctx);
            }
        });
    }

    @AfterEach
    void end() {
        requests.stream().filter(request -> request.refCnt() > 0).forEach(WireMessage::release);
        channel.finishAndReleaseAll();
        assertThat(budget.reservedBytes()).isZero();
    }

    @Test
    void aClientThatDoesNotSendIsClosedWhetherOthersWaitOrNot() {
        channel.writeInbound(request().slice(0, 1_000));
        seconds(1);
        assertThat(ended).as("something came").isEmpty();
        seconds(1);
        assertThat(ended).containsExactly(CloseCause.REQUEST_STALLED);
    }

    @Test
    void aClientThatIsNotReadIsNotAtFault() {
        channel.writeInbound(request().slice(0, 1_000));
        paused = true;
        seconds(5);
        paused = false;
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
        seconds(1);
        assertThat(ended).isEmpty();
        seconds(1);
        assertThat(ended).containsExactly(CloseCause.REQUEST_STALLED);
    }

    @Test
    void whileNobodyWaitsAServerMayTakeItsTime() {
        channel.writeInbound(request());
        seconds(5);
        assertThat(requests).hasSize(1);
        assertThat(ended).isEmpty();
        requests.get(0).release();
        assertThat(budget.reservedBytes()).isZero();
    }

    @Test
    void oneThatTheServerDoesNotTakeLosesItsRoomToThoseThatWait() {
        channel.writeInbound(request());
        seconds(1);
        Reservation other = budget.reserve(3 * LARGE, channel.eventLoop(), () -> {});
        ByteBuf bytes = requests.get(0).bytes();
        for (int taken = 0; taken < LARGE; taken += RequestWatch.LEAST_BYTES) {
            assertThat(ended).as("taken: %s", taken).isEmpty();
            bytes.skipBytes(RequestWatch.LEAST_BYTES);
            seconds(1);
        }
        assertThat(ended).as("the last pieces are not taken yet").isEmpty();
        seconds(1);
        assertThat(ended).containsExactly(CloseCause.REQUEST_STALLED);
        other.release();
    }

    @Test
    void oneThatFindsNoRoomInTimeIsClosedAndWhatItHoldsIsWatchedAllTheSame() {
        channel.writeInbound(request());
        Reservation other = budget.reserve(2 * LARGE, channel.eventLoop(), () -> {});
        channel.writeInbound(request().slice(0, 1_000));
        assertThat(paused).isTrue();
        seconds(1);
        seconds(1);
        assertThat(ended).containsExactly(CloseCause.REQUEST_STALLED);
        seconds(1);
        assertThat(ended).containsExactly(CloseCause.REQUEST_STALLED, CloseCause.REQUEST_BUFFER_TIMEOUT);
        other.release();
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    /** Of an opcode whose content nobody reads. */
    private static ByteBuf request() {
        ByteBuf bytes = Unpooled.buffer(LARGE).writeZero(LARGE);
        return bytes.setIntLE(0, LARGE).setIntLE(12, OpCode.OP_REPLY.value() + 77);
    }
}
