package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.scatterguard.protocol.codec.RequestDecoder;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import io.scatterguard.proxy.session.SessionContext;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The pipeline of a client connection: frames, then the session. */
final class ClientInitializer extends ChannelInitializer<SocketChannel> {
    private static final AtomicLong SESSION_IDS = new AtomicLong();

    private final ListenerSettings settings;
    private final SessionContext context;
    private final EventLoops loops;
    private final ByteBufAllocator allocator;
    private final HostResolver resolver;
    private final OpenSessions sessions;
    private final TlsFailureLog tlsFailures;

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
        this.tlsFailures = new TlsFailureLog(context.nanoTime());
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        if (context.counters().opened() > settings.maxConnections()) {
            context.counters().closed(CloseCause.TOO_MANY_CONNECTIONS);
            channel.close();
            return;
        }
        ServerDialer dialer = new ServerDialer(channel, settings, loops, allocator, resolver);
        Session session = new Session(
                SESSION_IDS.incrementAndGet(), context, new ChannelPeer(channel), addressOf(channel), dialer);
        sessions.add(session, channel);
        encrypt(channel, session);
        channel.pipeline().addLast("frames", new RequestDecoder(session::maxMessageBytes));
        channel.pipeline().addLast("session", new ClientHandler(session, settings.firstByteTimeout()));
    }

    /** Puts TLS in front of the frames, or what turns down a client that speaks it where nobody does. */
    private void encrypt(SocketChannel channel, Session session) {
        Supplier<SslContext> clients = settings.tls().clients();
        if (clients == null) {
            channel.pipeline().addLast("plaintext", new PlaintextGuard(() -> {
                tlsFailures.warn(CloseCause.TLS_ON_PLAINTEXT_PORT, channel.remoteAddress(), "a TLS ClientHello");
                session.close(CloseCause.TLS_ON_PLAINTEXT_PORT);
            }));
        } else {
            ProxyListener.holdLess(channel);
            channel.pipeline().addLast("tlsAdmission", new TlsAdmissionHandler(settings.tls(), clients));
            channel.pipeline().addLast("tlsEvents", new TlsClientHandler(session, tlsFailures));
        }
    }

    private static String addressOf(SocketChannel channel) {
        InetSocketAddress address = ClientAddress.of(channel);
        return address == null ? "unknown" : address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
