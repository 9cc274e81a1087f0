package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Stands where TLS will be until the client has sent its first bytes and a handshake may begin; then puts it there. So a
 * connection that says nothing costs neither a place among the handshakes nor the memory of one, and the certificate shown
 * is the newest. The timeout of the handshake begins when the handshake does.
 */
final class TlsAdmissionHandler extends ChannelInboundHandlerAdapter {
    /** More than any ClientHello, which is all a client can send before it is answered. */
    static final int MAX_EARLY_BYTES = 128 * 1024;

    private final TlsSettings settings;
    private final Supplier<SslContext> contexts;
    private final Deque<ByteBuf> early = new ArrayDeque<>();
    private int earlyBytes;
    private boolean asked;
    private Runnable granted = () -> {};

    TlsAdmissionHandler(TlsSettings settings, Supplier<SslContext> contexts) {
        this.settings = settings;
        this.contexts = contexts;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf bytes = (ByteBuf) msg;
        earlyBytes += bytes.readableBytes();
        early.add(bytes);
        if (earlyBytes > MAX_EARLY_BYTES) {
            ctx.fireExceptionCaught(new TlsFailedException(
                    "more than " + MAX_EARLY_BYTES + " bytes before the TLS handshake (expected: a ClientHello)"));
        } else if (!asked) {
            asked = true;
            granted = () -> onGranted(ctx);
            settings.slots().take(granted);
        }
    }

    /** On any thread. */
    private void onGranted(ChannelHandlerContext ctx) {
        if (ctx.executor().inEventLoop()) {
            start(ctx);
            return;
        }
        try {
            ctx.executor().execute(() -> start(ctx));
        } catch (RuntimeException e) {
            settings.slots().giveBack(); // The loop has ended, and the connection with it.
        }
    }

    private void start(ChannelHandlerContext ctx) {
        if (ctx.isRemoved() || !ctx.channel().isActive()) {
            settings.slots().giveBack();
            return;
        }
        SslHandler tls = newHandler(ctx.alloc());
        tls.handshakeFuture().addListener(done -> settings.slots().giveBack());
        Deque<ByteBuf> bytes = new ArrayDeque<>(early);
        early.clear();
        ctx.pipeline().addAfter(ctx.name(), "tls", tls);
        bytes.forEach(ctx::fireChannelRead);
        ctx.fireChannelReadComplete();
        ctx.pipeline().remove(this);
    }

    private SslHandler newHandler(ByteBufAllocator allocator) {
        SslHandler tls = contexts.get().newHandler(allocator);
        tls.setHandshakeTimeoutMillis(settings.handshakeTimeout().toMillis());
        return tls;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        settings.slots().cancel(granted);
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        settings.slots().cancel(granted);
        early.forEach(ReferenceCountUtil::release);
        early.clear();
    }
}
