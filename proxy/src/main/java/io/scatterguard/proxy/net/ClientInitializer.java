package io.scatterguard.proxy.net;

import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.scatterguard.protocol.codec.RequestDecoder;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import io.scatterguard.proxy.session.SessionContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The pipeline of a client connection: its deadline; who it is, where that has to be said; frames; the session. */
final class ClientInitializer extends ChannelInitializer<SocketChannel> {
    private static final AtomicLong SESSION_IDS = new AtomicLong();

    private final ListenerSettings settings;
    private final SessionContext context;
    private final SharedLimits limits;
    private final EventLoops loops;
    private final HostResolver resolver;
    private final OpenSessions sessions;

    ClientInitializer(
            ListenerSettings settings,
            SessionContext context,
            SharedLimits limits,
            EventLoops loops,
            HostResolver resolver,
            OpenSessions sessions) {
        this.settings = settings;
        this.context = context;
        this.limits = limits;
        this.loops = loops;
        this.resolver = resolver;
        this.sessions = sessions;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        CloseCause refusal = limits.gate().accepted();
        if (refusal != null) {
            refuse(channel, refusal);
            return;
        }
        HandshakeDeadline deadline = new HandshakeDeadline(settings.timeouts().handshake());
        channel.pipeline().addLast("deadline", deadline);
        ProxyHeaders headers = settings.proxyProtocol().accepted();
        if (headers == null) {
            openSession(channel, deadline);
        } else {
            awaitHeader(channel, headers, deadline);
        }
    }

    /** The session begins once it is known who the client is. */
    private void awaitHeader(SocketChannel channel, ProxyHeaders headers, HandshakeDeadline deadline) {
        ProxyHeaderHandler.Events events = new ProxyHeaderHandler.Events(
                () -> openSession(channel, deadline), (cause, error) -> ended(channel, cause, error));
        ProxyHeaderHandler handler = new ProxyHeaderHandler(headers, channel.remoteAddress(), events);
        channel.pipeline().addLast("proxyHeader", handler);
        sessions.addUnopened(channel, handler::shutDown);
    }

    /** Puts TLS in front of the frames, or what turns down a client that speaks it where nobody does. */
    private void encrypt(SocketChannel channel, Session session) {
        Supplier<SslContext> clients = settings.tls().clients();
        if (clients == null) {
            channel.pipeline()
                    .addLast(
                            "plaintext",
                            new PlaintextGuard(() ->
                                    session.close(Level.WARN, CloseCause.TLS_ON_PLAINTEXT_PORT, "a TLS ClientHello")));
        } else {
            ProxyListener.holdLess(channel);
            channel.pipeline().addLast("tlsAdmission", new TlsAdmissionHandler(settings.tls(), clients));
            channel.pipeline().addLast("tlsEvents", new TlsClientHandler(session));
        }
    }

    /** Goes on when the client's address is known: lets it in and makes its session. */
    private void openSession(SocketChannel channel, HandshakeDeadline deadline) {
        InetSocketAddress address = ClientAddress.of(channel);
        if (address != null) {
            InetAddress client = address.getAddress();
            CloseCause refusal = limits.gate().entered(client);
            if (refusal != null) {
                refuse(channel, refusal);
                return;
            }
            channel.closeFuture().addListener(closed -> limits.gate().left(client));
        }
        ReadAhead readAhead = new ReadAhead();
        ServerDialer dialer = new ServerDialer(channel, settings, loops, context.allocator(), resolver);
        Session session = new Session(
                SESSION_IDS.incrementAndGet(),
                context,
                ChannelPeer.client(channel, readAhead),
                text(address),
                dialer,
                new ChannelLoop(channel.eventLoop()));
        sessions.add(session, channel);
        // The end of a client's stream is an event of the session, which may still have bytes of it.
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        RequestDecoder decoder =
                new RequestDecoder(session::maxMessageBytes, limits.budget(), context.judge()::isBypassed);
        RequestWatch watch = new RequestWatch(
                new RequestWatch.Events(session::onRequestWaiting, session::isClientPaused, session::close),
                decoder,
                limits.budget(),
                settings.timeouts());
        encrypt(channel, session);
        ChannelPipeline pipeline = channel.pipeline();
        if (!settings.timeouts().idle().isZero()) {
            long idle = settings.timeouts().idle().toMillis();
            pipeline.addLast("idle", new IdleStateHandler(true, 0, 0, idle, TimeUnit.MILLISECONDS));
        }
        pipeline.addLast("readAhead", readAhead);
        pipeline.addLast("frames", decoder);
        pipeline.addLast("session", new ClientHandler(session, deadline, readAhead, watch));
    }

    /** Closes a connection that has no session. */
    private void refuse(SocketChannel channel, CloseCause cause) {
        ended(channel, cause, "");
        channel.close();
    }

    /** Counts the end of a connection that never had a session. */
    private void ended(SocketChannel channel, CloseCause cause, String error) {
        String client = text(ClientAddress.of(channel));
        context.counters().closed(cause);
        context.closeLog().note(cause, client);
        if (!error.isEmpty()) {
            context.closeLog().explain(Level.INFO, cause, client, error);
        }
    }

    private static String text(@Nullable InetSocketAddress address) {
        return address == null ? "unknown" : address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
