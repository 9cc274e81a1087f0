package io.scatterguard.proxy.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.codec.RequestProgress;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import io.scatterguard.proxy.session.ValueFreeFault;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Turns the events of a client channel into those of its session. */
final class ClientHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ClientHandler.class);

    private final Session session;
    private final HandshakeDeadline deadline;
    private final ReadAhead readAhead;
    private final RequestWatch watch;

    ClientHandler(Session session, HandshakeDeadline deadline, ReadAhead readAhead, RequestWatch watch) {
        this.session = session;
        this.deadline = deadline;
        this.readAhead = readAhead;
        this.watch = watch;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        deadline.met();
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
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof RequestProgress progress) {
            if (progress != RequestProgress.WHOLE) {
                deadline.onWaiting(progress == RequestProgress.WAITING);
            }
            watch.on(progress, ctx);
        } else if (event instanceof IdleStateEvent) {
            session.onIdle();
        } else if (event instanceof ClientEvent told) {
            switch (told) {
                case HANDSHAKE_TIMED_OUT -> session.close(CloseCause.HANDSHAKE_TIMEOUT);
                case ENDS -> session.onClientEnd(watch.isHopeless(readAhead.keptBytes()));
                case ENDED -> session.onClientEnd(true);
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        session.onClientEnd(true);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        watch.stop();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof ProtocolException || cause instanceof MalformedBsonException) {
            session.close(Level.INFO, CloseCause.CLIENT_PROTOCOL_ERROR, String.valueOf(cause.getMessage()));
        } else if (cause instanceof IOException) {
            session.close(CloseCause.CLIENT_FAILED);
        } else {
            LOG.error("internal error on a client connection: sessionId={}", session.id(), ValueFreeFault.of(cause));
            session.close(CloseCause.INTERNAL_ERROR);
        }
    }
}
