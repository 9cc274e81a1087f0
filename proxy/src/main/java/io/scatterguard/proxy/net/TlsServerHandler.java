package io.scatterguard.proxy.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLException;

/**
 * Turns what TLS raises towards a server into an event of the session. How the handshake ended is told by its future; but a
 * server of TLS 1.3 turns down our certificate after that.
 */
final class TlsServerHandler extends ChannelInboundHandlerAdapter {
    private final Session session;
    private final InetSocketAddress server;
    private boolean established;

    TlsServerHandler(Session session, InetSocketAddress server) {
        this.session = session;
        this.server = server;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            established = handshake.isSuccess();
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable error = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (established && error instanceof SSLException) {
            session.onConnectFailed(CloseCause.SERVER_TLS_FAILED, new ServerTlsException(server, error));
        } else if (established) {
            ctx.fireExceptionCaught(error);
        }
    }
}
