package io.scatterguard.proxy.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.scatterguard.proxy.session.SessionContext;
import io.scatterguard.proxy.session.SessionCounters;
import io.scatterguard.proxy.upstream.Upstream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A listening socket and everything that came in through it. */
public final class ProxyListener {
    /**
     * How many bytes may wait for a peer: above the high mark the other side is not read. With one read of at most 64 KiB
     * that may follow, a connection holds well under the 512 KiB that are promised, in each direction.
     */
    static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(64 * 1024, 128 * 1024);

    /** The same with TLS: its copies of what is read and of what waits, clear and encrypted, count twice. */
    static final WriteBufferWaterMark TLS_WATER_MARK = new WriteBufferWaterMark(16 * 1024, 32 * 1024);

    /** How much of an encrypted connection is read at once: two of TLS's records. */
    static final int TLS_READ_BYTES = 32 * 1024;

    private static final int BACKLOG = 1024;

    private final Channel channel;
    private final OpenSessions sessions;
    private final HostResolver resolver;
    private final SessionCounters counters;
    private final Upstream upstream;

    private ProxyListener(
            Channel channel,
            OpenSessions sessions,
            HostResolver resolver,
            SessionCounters counters,
            Upstream upstream) {
        this.upstream = upstream;
        this.channel = channel;
        this.sessions = sessions;
        this.resolver = resolver;
        this.counters = counters;
    }

    /**
     * Binds and starts to accept.
     *
     * @param settings whose upstream is closed with the listener
     * @param limits shared with the other listeners of the process
     * @throws IOException if the address cannot be bound; the message names it
     */
    public static ProxyListener start(
            ListenerSettings settings, SessionContext context, SharedLimits limits, EventLoops loops)
            throws IOException {
        OpenSessions sessions = new OpenSessions();
        HostResolver resolver = new HostResolver();
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, context.allocator())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .handler(new AcceptErrors(context.counters()))
                .childHandler(new ClientInitializer(settings, context, limits, loops, resolver, sessions))
                .bind(settings.bind())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            resolver.close();
            settings.upstream().close();
            throw new IOException("cannot listen on " + settings.bind() + ": "
                    + bound.cause().getMessage() + " (is another process using the port?)");
        }
        return new ProxyListener(bound.channel(), sessions, resolver, context.counters(), settings.upstream());
    }

    /** Makes an encrypted connection keep the bound of {@link #WATER_MARK}. */
    static void holdLess(SocketChannel channel) {
        channel.config().setWriteBufferWaterMark(TLS_WATER_MARK);
        channel.config().setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(1024, 2048, TLS_READ_BYTES));
    }

    /** The address it listens on, with the port that was taken. */
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) channel.localAddress();
    }

    public SessionCounters counters() {
        return counters;
    }

    /** Stops accepting; what came in goes on. */
    public void stopAccepting() {
        channel.close().awaitUninterruptibly();
    }

    /**
     * Stops accepting, lets what is in flight finish for up to {@code grace}, then closes what is left. Returns when every
     * connection has ended.
     */
    public void stop(Duration grace) throws InterruptedException {
        stopAccepting();
        try {
            sessions.drain(grace);
        } finally {
            resolver.close();
            upstream.close();
        }
    }
}
