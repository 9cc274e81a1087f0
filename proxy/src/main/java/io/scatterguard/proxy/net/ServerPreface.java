package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What every connection to a server begins with, before TLS and before any message: nothing, or a PROXY header that says
 * who the client is. Whoever dials a server, for a client or to look after the server, begins here.
 */
public enum ServerPreface {
    NONE,
    PROXY_V1,
    PROXY_V2;

    /**
     * Makes {@code pipeline} send it; called before the connection is begun and before other handlers are added.
     *
     * @param source who the connection is for; null where that is nobody but this process
     * @param destination the address that {@code source} connected to; null where {@code source} is
     */
    void addTo(ChannelPipeline pipeline, @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {
        if (this != NONE) {
            ProxyHeader header = source == null || destination == null
                    ? ProxyHeader.WITHOUT_ADDRESSES
                    : new ProxyHeader(source, destination);
            pipeline.addFirst("preface", new Sender(this, header));
        }
    }

    private ByteBuf encode(ChannelHandlerContext ctx, ProxyHeader header) {
        return this == PROXY_V1
                ? ProxyHeaderEncoder.v1(ctx.alloc(), header)
                : ProxyHeaderEncoder.v2(ctx.alloc(), header);
    }

    /**
     * Sends a header when the connection is made, and only then tells whoever waits for that: their first write would
     * otherwise go ahead of it.
     */
    private static final class Sender extends ChannelOutboundHandlerAdapter {
        private final ServerPreface preface;
        private final ProxyHeader header;

        Sender(ServerPreface preface, ProxyHeader header) {
            this.preface = preface;
            this.header = header;
        }

        @Override
        public void connect(
                ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            ChannelPromise connected = ctx.newPromise();
            connected.addListener(done -> {
                if (done.isSuccess()) {
                    ctx.writeAndFlush(preface.encode(ctx, header), ctx.voidPromise());
                    ctx.pipeline().remove(this);
                    promise.trySuccess();
                } else {
                    promise.tryFailure(done.cause());
                }
            });
            ctx.connect(remote, local, connected);
        }
    }
}
