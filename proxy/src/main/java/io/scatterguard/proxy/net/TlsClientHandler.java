package io.scatterguard.proxy.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import javax.net.ssl.SSLException;
import org.slf4j.event.Level;

/** Tells a session how the TLS handshake of its client ended; then passes on what TLS raises as what it is. */
final class TlsClientHandler extends ChannelInboundHandlerAdapter {
    private final Session session;

    TlsClientHandler(Session session) {
        this.session = session;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            failed(handshake.cause());
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof TlsFailedException) {
            failed(cause);
        } else if (cause instanceof DecoderException && cause.getCause() instanceof SSLException) {
            ctx.fireExceptionCaught(cause.getCause());
        } else {
            ctx.fireExceptionCaught(cause);
        }
    }

    private void failed(Throwable cause) {
        CloseCause why = TlsFailures.ofClient(cause);
        if (why == CloseCause.CLIENT_CLOSED) {
            session.close(why);
        } else {
            session.close(Level.WARN, why, TlsFailures.reason(cause));
        }
    }
}
