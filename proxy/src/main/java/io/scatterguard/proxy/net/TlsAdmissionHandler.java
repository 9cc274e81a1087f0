package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands where TLS will be until the client has sent its first bytes and a handshake may begin; then puts it there. So a
 * connection that says nothing costs neither a place among the handshakes nor the memory of one, and the certificate shown
 * is the newest. The timeout of the handshake begins when the handshake does.
 */
final class TlsAdmissionHandler extends ChannelInboundHandlerAdapter {
    /** One read, and more than any ClientHello, which is all a client can send before it is answered. */
    static final int MAX_EARLY_BYTES = 64 * 1024;

    private final TlsSettings settings;
    private final Supplier<SslContext> contexts;
    private @Nullable ByteBuf early;
    private boolean asked;
    private Runnable granted = () -> {};

    TlsAdmissionHandler(TlsSettings settings, Supplier<SslContext> contexts) {
        this.settings = settings;
        this.contexts = contexts;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (keep(ctx.alloc(), (ByteBuf) msg) > MAX_EARLY_BYTES) {
            ctx.fireExceptionCaught(new TlsFailedException(
                    "more than " + MAX_EARLY_BYTES + " bytes before the TLS handshake (expected: a ClientHello)"));
        } else if (!asked) {
            asked = true;
            granted = () -> onGranted(ctx);
            settings.slots().take(granted);
        }
    }

    /** Takes {@code bytes}; returns how many are kept. Copies them: a part may be a single byte in a large buffer. */
    private int keep(ByteBufAllocator allocator, ByteBuf bytes) {
        try {
            if (early == null) {
                early = allocator.buffer(bytes.readableBytes());
            }
            return early.writeBytes(bytes).readableBytes();
        } finally {
            bytes.release();
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
        SslHandler tls;
        try {
            tls = newHandler(ctx.alloc());
        } catch (RuntimeException | LinkageError e) {
            settings.slots().giveBack();
            ctx.fireExceptionCaught(e);
            return;
        }
        tls.handshakeFuture().addListener(done -> settings.slots().giveBack());
        ByteBuf bytes = early;
        early = null;
        ctx.pipeline().addAfter(ctx.name(), "tls", tls);
        if (bytes != null) {
            ctx.fireChannelRead(bytes);
        }
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
        if (early != null) {
            early.release();
            early = null;
        }
    }
}
