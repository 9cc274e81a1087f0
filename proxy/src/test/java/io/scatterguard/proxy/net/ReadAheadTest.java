package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReadAheadTest {
    private final ReadAhead ahead = new ReadAhead();
    private final List<Object> events = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel(ahead, new ChannelInboundHandlerAdapter() {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            events.add(event);
        }
    });

    @AfterEach
    void end() {
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @MethodSource("ends")
    void whateverTellsTheEndItIsToldOnce(Object event) {
        channel.pipeline().fireUserEventTriggered(event);
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(events).containsExactly(ClientEvent.ENDED);
    }

    static List<Object> ends() {
        return List.of(ChannelInputShutdownEvent.INSTANCE, SslCloseCompletionEvent.SUCCESS);
    }

    @Test
    void passesOnWhatIsReadWhileReading() {
        channel.writeInbound(bytes(10));
        assertThat(taken()).isEqualTo(10);
    }

    @Test
    void keepsWhatIsReadDuringAPauseAndHandsItOverInOrder() {
        ahead.setReading(false);
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {1}));
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {2}));
        assertThat(channel.<Object>readInbound()).isNull();
        ahead.setReading(true);
        assertThat(channel.<Object>readInbound())
                .as("within the call that resumes")
                .isNull();
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {3}));
        channel.runPendingTasks();
        ByteBuf all = channel.readInbound();
        assertThat(all.readByte()).isEqualTo((byte) 1);
        assertThat(all.readByte()).isEqualTo((byte) 2);
        assertThat(all.readByte()).isEqualTo((byte) 3);
        all.release();
    }

    @Test
    void stopsReadingTheSocketAtItsBoundAndGoesOnAfterwards() {
        ahead.setReading(false);
        channel.writeInbound(bytes(ReadAhead.MAX_BYTES - 1));
        assertThat(channel.config().isAutoRead()).isTrue();
        channel.writeInbound(bytes(1));
        assertThat(channel.config().isAutoRead()).isFalse();
        ahead.setReading(true);
        channel.runPendingTasks();
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(taken()).isEqualTo(ReadAhead.MAX_BYTES);
    }

    @Test
    void aPauseBeforeTheHandOverIsKept() {
        ahead.setReading(false);
        channel.writeInbound(bytes(10));
        ahead.setReading(true);
        ahead.setReading(false);
        channel.runPendingTasks();
        assertThat(channel.<Object>readInbound()).isNull();
        ahead.setReading(true);
        channel.runPendingTasks();
        assertThat(taken()).isEqualTo(10);
    }

    @Test
    void theEndOfTheStreamComesAfterItsBytes() {
        ahead.setReading(false);
        channel.writeInbound(bytes(10));
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(events).containsExactly(ClientEvent.ENDS);
        ahead.setReading(true);
        channel.runPendingTasks();
        assertThat(taken()).isEqualTo(10);
        assertThat(events).containsExactly(ClientEvent.ENDS, ClientEvent.ENDED);
    }

    @Test
    void theEndOfAStreamThatIsReadIsTheEnd() {
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(events).containsExactly(ClientEvent.ENDED);
    }

    @Test
    void bytesThatNobodyTakesDoNotKeepAnEndedConnection() {
        channel.freezeTime();
        ahead.setReading(false);
        channel.writeInbound(bytes(10));
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        channel.advanceTimeBy(ChannelPeer.FLUSH_SECONDS, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(events).containsExactly(ClientEvent.ENDS, ClientEvent.ENDED);
    }

    @Test
    void whatIsKeptIsReleasedWithTheHandler() {
        ahead.setReading(false);
        ByteBuf read = bytes(10);
        channel.writeInbound(read);
        channel.pipeline().remove(ahead);
        assertThat(read.refCnt()).isZero();
        ahead.setReading(true);
        channel.runPendingTasks();
        assertThat(channel.<Object>readInbound()).isNull();
    }

    private int taken() {
        int count = 0;
        ByteBuf next = channel.readInbound();
        while (next != null) {
            count += next.readableBytes();
            next.release();
            next = channel.readInbound();
        }
        return count;
    }

    private static ByteBuf bytes(int count) {
        return Unpooled.buffer(count).writeZero(count);
    }
}
