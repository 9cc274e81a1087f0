package io.scatterguard.proxy.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.scatterguard.protocol.codec.ReplyDecoder;
import io.scatterguard.proxy.session.Dialer;
import io.scatterguard.proxy.session.Session;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
                                session.onConnectFailed(e);
                            }
                        },
                        client.eventLoop());
    }

    private void connect(Session session, InetSocketAddress address, int index, int attempt) {
        if (session.isClosed()) {
            return;
        }
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
                        channel.pipeline().addLast("pieces", new PieceWriter());
                        channel.pipeline().addLast("frames", new ReplyDecoder());
                        channel.pipeline().addLast("session", new ServerHandler(session));
                    }
                })
                .connect(address);
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                session.onServerConnected(ChannelPeer.server(connecting.channel()));
            } else {
                failed(session, index, attempt, done.cause());
            }
        });
    }

    private void failed(Session session, int index, int attempt, Throwable cause) {
        int servers = settings.upstream().size();
        if (attempt < servers && !session.isClosed()) {
            dial(session, (index + 1) % servers, attempt + 1);
        } else {
            session.onConnectFailed(cause);
        }
    }
}
