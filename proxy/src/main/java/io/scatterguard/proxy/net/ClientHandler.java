package io.scatterguard.proxy.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import io.scatterguard.proxy.session.ValueFreeFault;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the events of a client channel into those of its session. */
final class ClientHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ClientHandler.class);

    private final Session session;
    private final Duration firstByteTimeout;
    private @Nullable Future<?> firstRequestDeadline;

    ClientHandler(Session session, Duration firstByteTimeout) {
        this.session = session;
        this.firstByteTimeout = firstByteTimeout;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        firstRequestDeadline = ctx.executor()
                .schedule(
                        () -> session.close(CloseCause.FIRST_BYTE_TIMEOUT),
                        firstByteTimeout.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        cancelDeadline();
        session.onRequest((WireMessage) msg);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        session.onRequestsRead();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        session.onClientWritable(ctx.channel().isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancelDeadline();
        session.close(CloseCause.CLIENT_CLOSED);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof ProtocolException || cause instanceof MalformedBsonException) {
            LOG.info("protocol error of the client: sessionId={} error={}", session.id(), cause.getMessage());
            session.close(CloseCause.CLIENT_PROTOCOL_ERROR);
        } else if (cause instanceof IOException) {
            session.close(CloseCause.CLIENT_FAILED);
        } else {
            LOG.error("internal error on a client connection: sessionId={}", session.id(), ValueFreeFault.of(cause));
            session.close(CloseCause.INTERNAL_ERROR);
        }
    }

    private void cancelDeadline() {
        if (firstRequestDeadline != null) {
            firstRequestDeadline.cancel(false);
            firstRequestDeadline = null;
        }
    }
}
