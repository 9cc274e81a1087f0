package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PieceWriterTest {
    private static final int LARGE = 1_000_000;

    /** Whether the peer takes what is written. */
    private boolean taking = true;

    private final Queue<ByteBuf> sent = new ArrayDeque<>();
    private final EmbeddedChannel channel =
            new EmbeddedChannel(new PieceWriter(), new ChannelInboundHandlerAdapter() {
                @Override
                public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                    assertThat(cause).as("of a piece that was not written").isInstanceOf(ClosedChannelException.class);
                }
            }) {
                @Override
                protected void doWrite(ChannelOutboundBuffer in) throws Exception {
                    while (taking && in.current() != null) {
                        sent.add(((ByteBuf) in.current()).retain());
                        in.remove();
                    }
                }
            };

    PieceWriterTest() {
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(64 * 1024, 128 * 1024));
    }

    @AfterEach
    void end() {
        sent.forEach(ByteBuf::release);
        channel.finishAndReleaseAll();
    }

    @Test
    void aSmallBufferPassesAsItIs() {
        ByteBuf small = bytes(PieceWriter.PIECE_BYTES);
        channel.writeAndFlush(small);
        assertThat(sent).containsExactly(small);
    }

    @Test
    void aLargeBufferIsWrittenAsFastAsThePeerTakesItAndReleasedAtTheEnd() {
        taking = false;
        ByteBuf large = bytes(LARGE);
        ChannelFuture written = channel.writeAndFlush(large);
        assertThat(channel.isWritable()).as("to whoever fills it").isFalse();
        assertThat(channel.unsafe().outboundBuffer().totalPendingWriteBytes())
                .isLessThanOrEqualTo(4 * (PieceWriter.PIECE_BYTES + 100));
        assertThat(written.isDone()).isFalse();
        taking = true;
        channel.flush();
        channel.runPendingTasks();
        assertThat(sent.stream().mapToInt(ByteBuf::readableBytes).sum()).isEqualTo(LARGE);
        assertThat(sent).allMatch(piece -> piece.readableBytes() <= PieceWriter.PIECE_BYTES);
        assertThat(written.isSuccess()).isTrue();
        sent.forEach(ByteBuf::release);
        sent.clear();
        assertThat(large.refCnt()).isZero();
    }

    @Test
    void whatIsWrittenBehindALargeBufferStaysBehindIt() {
        taking = false;
        channel.write(bytes(LARGE));
        ByteBuf small = bytes(5);
        channel.write(small);
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
        taking = true;
        channel.flush();
        channel.runPendingTasks();
        assertThat(sent.stream().mapToInt(ByteBuf::readableBytes).sum()).isEqualTo(LARGE + 5);
        assertThat(sent.stream().filter(ByteBuf::isReadable).reduce((a, b) -> b).orElseThrow())
                .isSameAs(small);
    }

    @Test
    void aCloseDropsWhatWaits() {
        taking = false;
        ByteBuf large = bytes(LARGE);
        ByteBuf second = bytes(LARGE);
        ChannelFuture first = channel.writeAndFlush(large);
        ChannelFuture next = channel.writeAndFlush(second);
        channel.close();
        assertThat(large.refCnt()).isZero();
        assertThat(second.refCnt()).isZero();
        assertThat(first.isDone() && !first.isSuccess()).isTrue();
        assertThat(next.isDone() && !next.isSuccess()).isTrue();
    }

    private static ByteBuf bytes(int count) {
        return Unpooled.buffer(count).writeZero(count);
    }
}
