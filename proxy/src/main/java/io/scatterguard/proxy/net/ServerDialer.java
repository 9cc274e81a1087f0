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
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Connects a session to a server on the event loop of its client. The first server tried depends on the client's address
 * alone, so that the connections of one client go to the same server while it is up; the others follow in order.
 */
final class ServerDialer implements Dialer {
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
        int hash = address == null ? 0 : address.getAddress().hashCode();
        dial(session, Math.floorMod(hash, settings.upstream().size()), 1);
    }

    private void dial(Session session, int index, int attempt) {
        List<InetSocketAddress> servers = settings.upstream();
        resolver.resolve(servers.get(index))
                .orTimeout(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenCompleteAsync(
                        (address, failure) -> {
                            try {
                                if (failure != null) {
                                    failed(session, index, attempt, failure);
                                } else {
                                    connect(session, address, index, attempt);
                                }
                            } catch (RuntimeException e) {
                                session.onConnectFailed(CloseCause.CONNECT_FAILED, e);
                            }
                        },
                        client.eventLoop());
    }

    private void connect(Session session, InetSocketAddress address, int index, int attempt) {
        if (session.isClosed()) {
            return;
        }
        InetSocketAddress server = settings.upstream().get(index);
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
                failed(session, index, attempt, done.cause());
            } else if (tls == null) {
                connected(session, connecting.channel());
            } else {
                tls.handshakeFuture().addListener(handshake -> {
                    if (handshake.isSuccess()) {
                        connected(session, connecting.channel());
                    } else {
                        failed(session, index, attempt, new ServerTlsException(server, handshake.cause()));
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
    private static void connected(Session session, Channel server) {
        server.pipeline().addLast("pieces", new PieceWriter());
        server.pipeline().addLast("frames", new ReplyDecoder());
        server.pipeline().addLast("session", new ServerHandler(session));
        session.onServerConnected(ChannelPeer.server(server));
    }

    private void failed(Session session, int index, int attempt, Throwable cause) {
        int servers = settings.upstream().size();
        if (attempt < servers && !session.isClosed()) {
            dial(session, (index + 1) % servers, attempt + 1);
        } else {
            session.onConnectFailed(
                    cause instanceof ServerTlsException ? CloseCause.SERVER_TLS_FAILED : CloseCause.CONNECT_FAILED,
                    cause);
        }
    }
}
