package io.scatterguard.proxy.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import io.scatterguard.proxy.session.ValueFreeFault;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Turns the events of a server channel into those of its session. */
final class ServerHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ServerHandler.class);

    private final Session session;

    ServerHandler(Session session) {
        this.session = session;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        session.onReply((ReplyChunk) msg);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        session.onRepliesRead();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        session.onServerWritable(ctx.channel().isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        session.close(CloseCause.SERVER_CLOSED);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof ProtocolException) {
            session.close(Level.WARN, CloseCause.SERVER_PROTOCOL_ERROR, String.valueOf(cause.getMessage()));
        } else if (cause instanceof IOException) {
            session.close(CloseCause.SERVER_FAILED);
        } else {
            LOG.error("internal error on a server connection: sessionId={}", session.id(), ValueFreeFault.of(cause));
            session.close(CloseCause.INTERNAL_ERROR);
        }
    }
}
