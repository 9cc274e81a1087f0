package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.ssl.SslHandler;
import io.scatterguard.proxy.session.Peer;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A Netty channel as one side of a session. */
final class ChannelPeer implements Peer {
    /** How long a peer that does not read may keep a closing connection. */
    static final long FLUSH_SECONDS = 10;

    private final Channel channel;
    private final Consumer<Boolean> reading;

    private ChannelPeer(Channel channel, Consumer<Boolean> reading) {
        this.channel = channel;
        this.reading = reading;
    }

    /** A client, which is read a little further than it may be, so that its end is seen. */
    static ChannelPeer client(Channel channel, ReadAhead readAhead) {
        return new ChannelPeer(channel, readAhead::setReading);
    }

    static ChannelPeer server(Channel channel) {
        return new ChannelPeer(channel, channel.config()::setAutoRead);
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
    public void setReading(boolean now) {
        reading.accept(now);
    }

    @Override
    public void closeAfterFlush() {
        if (!channel.isActive() || isHandshaking()) {
            channel.close();
            return;
        }
        reading.accept(false);
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
