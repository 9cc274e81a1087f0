package io.scatterguard.proxy.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.scatterguard.protocol.codec.ReplyDecoder;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Dialer;
import io.scatterguard.proxy.session.Session;
import io.scatterguard.proxy.session.ValueFreeFault;
import io.scatterguard.proxy.upstream.Upstream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects a session to one of its {@link Upstream}'s servers, on the event loop of its client. */
final class ServerDialer implements Dialer {
    private static final Logger LOG = LoggerFactory.getLogger(ServerDialer.class);

    private final SocketChannel client;
    private final ListenerSettings settings;
    private final Bootstrap bootstrap;
    private final HostResolver resolver;

    ServerDialer(
            SocketChannel client,
            ListenerSettings settings,
            EventLoops loops,
            ByteBufAllocator allocator,
            HostResolver resolver) {
        this.client = client;
        this.settings = settings;
        this.resolver = resolver;
        this.bootstrap = new Bootstrap()
                .group(client.eventLoop())
                .channel(loops.socketChannel())
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, ProxyListener.WATER_MARK)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis());
    }

    @Override
    public void dial(Session session) {
        InetSocketAddress address = ClientAddress.of(client);
        CompletableFuture<List<InetSocketAddress>> servers = settings.upstream()
                .servers(address == null ? 0 : address.getAddress().hashCode());
        if (servers.isDone()) {
            dial(session, servers.join(), 0);
        } else {
            await(session, servers);
        }
    }

    /** No server is known that could be dialled, so that the client waits. */
    private void await(Session session, CompletableFuture<List<InetSocketAddress>> servers) {
        // A client that has gone waits no longer; nobody else shares the future.
        client.closeFuture().addListener(closed -> servers.cancel(false));
        servers.orTimeout(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenCompleteAsync(
                        (found, failure) -> {
                            if (failure == null) {
                                guarded(session, () -> dial(session, found, 0));
                            } else {
                                String known = settings.upstream().status();
                                session.onConnectFailed(CloseCause.NO_PRIMARY, new NoPrimaryException(known));
                            }
                        },
                        client.eventLoop());
    }

    private void dial(Session session, List<InetSocketAddress> servers, int index) {
        resolver.resolve(servers.get(index))
                .orTimeout(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenCompleteAsync(
                        (address, failure) -> guarded(session, () -> {
                            if (failure != null) {
                                failed(session, servers, index, failure);
                            } else {
                                connect(session, address, servers, index);
                            }
                        }),
                        client.eventLoop());
    }

    /**
     * Does a step of dialling; false if it failed, which ends the session. Whoever runs the step would swallow what it throws,
     * and the client would wait for ever.
     */
    private static boolean guarded(Session session, Runnable step) {
        try {
            step.run();
            return true;
        } catch (RuntimeException | Error e) {
            LOG.error("internal error while dialling: sessionId={}", session.id(), ValueFreeFault.of(e));
            session.close(CloseCause.INTERNAL_ERROR);
            return false;
        }
    }

    private void connect(Session session, InetSocketAddress address, List<InetSocketAddress> servers, int index) {
        if (session.isClosed()) {
            return;
        }
        InetSocketAddress server = servers.get(index);
        ChannelFuture connecting = bootstrap
                .clone()
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        settings.proxyProtocol()
                                .sent()
                                .addTo(
                                        channel.pipeline(),
                                        ClientAddress.of(client),
                                        ClientAddress.destinationOf(client));
                        encrypt(channel, session, server);
                    }
                })
                .connect(address);
        connecting.addListener(done -> {
            SslHandler tls = connecting.channel().pipeline().get(SslHandler.class);
            if (!done.isSuccess()) {
                failed(session, servers, index, done.cause());
            } else if (tls == null) {
                connected(session, connecting.channel(), server);
            } else {
                tls.handshakeFuture().addListener(handshake -> {
                    if (handshake.isSuccess()) {
                        connected(session, connecting.channel(), server);
                    } else {
                        failed(session, servers, index, new ServerTlsException(server, handshake.cause()));
                    }
                });
            }
        });
    }

    private void encrypt(SocketChannel channel, Session session, InetSocketAddress server) {
        Supplier<SslContext> servers = settings.tls().servers();
        if (servers != null) {
            String host = server.getHostString();
            SslHandler tls = servers.get().newHandler(channel.alloc(), host, server.getPort());
            tls.setHandshakeTimeoutMillis(settings.tls().handshakeTimeout().toMillis());
            ProxyListener.holdLess(channel);
            channel.pipeline().addLast("tls", tls);
            channel.pipeline().addLast("tlsEvents", new TlsServerHandler(session, server));
        }
    }

    /** The session learns of the connection once it can be used; what ended before that is another attempt's matter. */
    private void connected(Session session, Channel channel, InetSocketAddress server) {
        if (!guarded(session, () -> attach(session, channel, server))) {
            channel.close();
        }
    }

    private void attach(Session session, Channel channel, InetSocketAddress server) {
        channel.pipeline().addLast("pieces", new PieceWriter());
        channel.pipeline().addLast("frames", new ReplyDecoder());
        channel.pipeline().addLast("session", new ServerHandler(session));
        ChannelLoop loop = new ChannelLoop(channel.eventLoop());
        Upstream.Binding binding =
                settings.upstream().bind(server, reachable -> loop.execute(() -> session.onPrimaryLost(reachable)));
        channel.closeFuture().addListener(closed -> binding.released());
        session.onServerConnected(ChannelPeer.server(channel), binding::notPrimary);
    }

    private void failed(Session session, List<InetSocketAddress> servers, int index, Throwable cause) {
        if (index + 1 < servers.size() && !session.isClosed()) {
            dial(session, servers, index + 1);
        } else {
            session.onConnectFailed(
                    cause instanceof ServerTlsException ? CloseCause.SERVER_TLS_FAILED : CloseCause.CONNECT_FAILED,
                    cause);
        }
    }
}
