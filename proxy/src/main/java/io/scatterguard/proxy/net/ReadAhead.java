package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Goes on reading a client that is not to be read for now, up to a bound, and keeps what comes: only who reads sees that the
 * client has gone. When the client's stream ends behind bytes that are kept, it says so at once by {@link ClientEvent#ENDS},
 * and by {@link ClientEvent#ENDED} when they have been handed over, or when that takes too long.
 *
 * <p>When the bound is reached the socket is not read any more. Then epoll still reports the end of the stream; NIO does not,
 * and a client that is gone shows when something is written to it.
 */
final class ReadAhead extends ChannelInboundHandlerAdapter {
    /** At this many bytes the socket is not read any more; one read of at most 64 KiB may exceed it. */
    static final int MAX_BYTES = 64 * 1024;

    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf kept;
    private @Nullable Future<?> patience;
    private boolean paused;
    private boolean ended;

    /** Starts or stops to hand over what is read. What was kept is handed over soon, not within this call. */
    void setReading(boolean reading) {
        paused = !reading;
        ChannelHandlerContext ctx = context;
        if (!reading || ctx == null) {
            return;
        }
        if (kept == null && !ended) {
            ctx.channel().config().setAutoRead(true);
        } else {
            // Whoever resumes is in the midst of a request or reply; the next one must not come into it.
            ctx.executor().execute(() -> handOver(ctx));
        }
    }

    /** How much is kept, in bytes. */
    int keptBytes() {
        return kept == null ? 0 : kept.readableBytes();
    }

    private void handOver(ChannelHandlerContext ctx) {
        while (!paused && kept != null) {
            ByteBuf bytes = kept;
            kept = null;
            ctx.fireChannelRead(bytes);
            ctx.fireChannelReadComplete();
        }
        if (!paused && context != null) {
            if (ended) {
                ctx.fireUserEventTriggered(ClientEvent.ENDED);
            } else {
                ctx.channel().config().setAutoRead(true);
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if ((paused || kept != null) && msg instanceof ByteBuf bytes) {
            keep(ctx, bytes);
        } else {
            ctx.fireChannelRead(msg);
        }
    }

    /** Takes {@code bytes}. Copies them: a part may be a single byte in a large buffer. */
    private void keep(ChannelHandlerContext ctx, ByteBuf bytes) {
        try {
            if (kept == null) {
                kept = ctx.alloc().buffer(bytes.readableBytes());
            }
            kept.writeBytes(bytes);
        } finally {
            bytes.release();
        }
        if (kept.readableBytes() >= MAX_BYTES) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // With TLS the client may say so before its stream ends, or without ending it.
        boolean ends = event instanceof ChannelInputShutdownEvent || event == SslCloseCompletionEvent.SUCCESS;
        if (!ends) {
            ctx.fireUserEventTriggered(event);
        } else if (!ended) {
            ended = true;
            if (!paused && kept == null) {
                ctx.fireUserEventTriggered(ClientEvent.ENDED);
                return;
            }
            patience = ctx.executor()
                    .schedule(
                            () -> {
                                ctx.fireUserEventTriggered(ClientEvent.ENDED);
                            },
                            ChannelPeer.FLUSH_SECONDS,
                            TimeUnit.SECONDS);
            ctx.fireUserEventTriggered(ClientEvent.ENDS);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        context = null;
        if (patience != null) {
            patience.cancel(false);
        }
        if (kept != null) {
            kept.release();
            kept = null;
        }
    }
}
