package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.scatterguard.protocol.codec.RequestDecoder;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import io.scatterguard.proxy.session.SessionContext;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/** The pipeline of a client connection: who it is, where that has to be said; frames; the session. */
final class ClientInitializer extends ChannelInitializer<SocketChannel> {
    private static final AtomicLong SESSION_IDS = new AtomicLong();

    private final ListenerSettings settings;
    private final SessionContext context;
    private final EventLoops loops;
    private final ByteBufAllocator allocator;
    private final HostResolver resolver;
    private final OpenSessions sessions;

    ClientInitializer(
            ListenerSettings settings,
            SessionContext context,
            EventLoops loops,
            ByteBufAllocator allocator,
            HostResolver resolver,
            OpenSessions sessions) {
        this.settings = settings;
        this.context = context;
        this.loops = loops;
        this.allocator = allocator;
        this.resolver = resolver;
        this.sessions = sessions;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        if (context.counters().opened() > settings.maxConnections()) {
            context.counters().closed(CloseCause.TOO_MANY_CONNECTIONS);
            channel.close();
            return;
        }
        ProxyHeaders headers = settings.proxyProtocol().accepted();
        if (headers == null) {
            open(channel);
        } else {
            awaitHeader(channel, headers);
        }
    }

    /** The session begins once it is known who the client is. */
    private void awaitHeader(SocketChannel channel, ProxyHeaders headers) {
        ProxyHeaderHandler.Events events =
                new ProxyHeaderHandler.Events(() -> open(channel), context.counters()::closed);
        ProxyHeaderHandler handler =
                new ProxyHeaderHandler(headers, channel.remoteAddress(), settings.firstByteTimeout(), events);
        channel.pipeline().addLast("proxyHeader", handler);
        sessions.addUnopened(channel, handler::shutDown);
    }

    private void open(SocketChannel channel) {
        ServerDialer dialer = new ServerDialer(channel, settings, loops, allocator, resolver);
        Session session = new Session(
                SESSION_IDS.incrementAndGet(), context, new ChannelPeer(channel), addressOf(channel), dialer);
        sessions.add(session, channel);
        channel.pipeline().addLast("frames", new RequestDecoder(session::maxMessageBytes));
        channel.pipeline().addLast("session", new ClientHandler(session, settings.firstByteTimeout()));
    }

    private static String addressOf(SocketChannel channel) {
        InetSocketAddress address = ClientAddress.of(channel);
        return address == null ? "unknown" : address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
