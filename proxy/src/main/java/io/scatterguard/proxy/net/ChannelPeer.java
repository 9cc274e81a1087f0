package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.ssl.SslHandler;
import io.scatterguard.proxy.session.Peer;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A Netty channel as one side of a session. */
final class ChannelPeer implements Peer {
    /** How long a peer that does not read may keep a closing connection. */
    static final long FLUSH_SECONDS = 10;

    private final Channel channel;

    ChannelPeer(Channel channel) {
        this.channel = channel;
    }

    @Override
    public void write(ByteBuf bytes) {
        assert channel.eventLoop().inEventLoop();
        channel.write(bytes, channel.voidPromise());
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void setReading(boolean reading) {
        channel.config().setAutoRead(reading);
    }

    @Override
    public void closeAfterFlush() {
        if (!channel.isActive() || isHandshaking()) {
            channel.close();
            return;
        }
        channel.config().setAutoRead(false);
        Future<?> deadline = channel.eventLoop().schedule((Runnable) channel::close, FLUSH_SECONDS, TimeUnit.SECONDS);
        channel.closeFuture().addListener(f -> deadline.cancel(false));
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Before TLS is agreed on nothing written can be sent, so there is nothing to wait for. */
    private boolean isHandshaking() {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls != null && !tls.handshakeFuture().isSuccess();
    }

    @Override
    public void close() {
        channel.close();
    }
}
