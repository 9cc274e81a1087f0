package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.session.CloseCause;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands at the beginning of a client's pipeline until it is known who the client is: reads the PROXY header, if one has to
 * come or may come, then gives way to what {@code opened} adds. What arrived behind the header goes to that.
 */
final class ProxyHeaderHandler extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyHeaderHandler.class);

    private final boolean trusted;
    private final boolean required;
    private final Events events;
    private final @Nullable InetSocketAddress peer;
    private @Nullable ChannelHandlerContext added;
    private boolean done;

    /**
     * What comes of a connection.
     *
     * @param opened adds what follows to the pipeline; the client's address is known
     * @param ended the connection is closed for this cause, and was never opened; with what was wrong, or empty
     */
    record Events(Runnable opened, BiConsumer<CloseCause, String> ended) {}

    /**
     * @param peer where the connection comes from; null if it is gone already
     */
    ProxyHeaderHandler(ProxyHeaders headers, @Nullable InetSocketAddress peer, Events events) {
        this.trusted = peer != null && headers.trusts(peer);
        this.required = headers.required();
        this.peer = peer;
        this.events = events;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        added = ctx;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (done) {
            in.skipBytes(in.readableBytes());
            return;
        }
        switch (ProxyHeaderParser.start(in)) {
            case UNDECIDED -> {}
            case NO_HEADER -> withoutHeader(ctx, in);
            case V1, V2 -> header(ctx, in);
        }
    }

    private void withoutHeader(ChannelHandlerContext ctx, ByteBuf in) {
        if (trusted && required) {
            in.skipBytes(in.readableBytes());
            end(ctx, CloseCause.PROXY_HEADER_MISSING, "no PROXY header (expected: one from every peer that is listed)");
        } else {
            open(ctx);
        }
    }

    private void header(ChannelHandlerContext ctx, ByteBuf in) {
        if (!trusted) {
            in.skipBytes(in.readableBytes());
            end(ctx, CloseCause.PROXY_HEADER_UNTRUSTED, "a PROXY header from a peer that is not listed");
            return;
        }
        try {
            ProxyHeader header = ProxyHeaderParser.read(in);
            if (header != null) {
                ctx.channel().attr(ClientAddress.KEY).set(header.source());
                ctx.channel().attr(ClientAddress.DESTINATION).set(header.destination());
                open(ctx);
            }
        } catch (ProtocolException e) {
            in.skipBytes(in.readableBytes());
            end(ctx, CloseCause.PROXY_HEADER_MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    private void open(ChannelHandlerContext ctx) {
        done = true;
        events.opened().run();
        ctx.pipeline().remove(this);
    }

    /** Closes the connection if it was not opened yet; called on its event loop. */
    void shutDown() {
        if (added != null) {
            end(added, CloseCause.SHUTDOWN, "");
        }
    }

    private void end(ChannelHandlerContext ctx, CloseCause cause, String error) {
        if (done) {
            return;
        }
        done = true;
        events.ended().accept(cause, error);
        ctx.close();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ClientEvent.HANDSHAKE_TIMED_OUT) {
            end(ctx, CloseCause.HANDSHAKE_TIMEOUT, "");
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /** What is left when the client goes is not a header. */
    @Override
    protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        in.skipBytes(in.readableBytes());
        end(ctx, CloseCause.CLIENT_CLOSED, "");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("internal error before a connection was opened: peer={}", peer, cause);
            end(ctx, CloseCause.INTERNAL_ERROR, "");
        } else {
            end(ctx, CloseCause.CLIENT_FAILED, "");
        }
    }
}
