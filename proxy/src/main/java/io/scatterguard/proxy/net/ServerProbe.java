package io.scatterguard.proxy.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.scatterguard.protocol.codec.ReplyDecoder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers a few commands, each over a connection of its own that begins like those of clients but speaks for this
 * process alone. Thread-safe; blocks nobody.
 */
public final class ServerProbe implements AutoCloseable {
    private final EventLoops loops;
    private final ServerPreface preface;
    private final @Nullable Supplier<SslContext> tls;
    private final Duration timeout;
    private final HostResolver resolver = new HostResolver();

    /** How far a probe came. */
    public enum Reached {
        /** No connection was made. */
        NOTHING,
        /** A connection was made, and TLS could not be agreed on. */
        TLS_FAILED,
        /** The server closed the connection before it had answered everything. */
        CLOSED,
        /** The server kept the connection and did not answer everything in time. */
        SILENT,
        ANSWERS
    }

    /**
     * What a server said.
     *
     * @param replies in the order of the commands; those that came
     * @param error why there are not more; empty if they all came
     */
    public record Answers(Reached reached, List<BsonDocument> replies, String error) {
        public Answers {
            replies = List.copyOf(replies);
        }
    }

    /**
     * @param tls how the servers are reached by TLS; null for plain connections
     * @param timeout for resolving the name, for connecting, and for all answers together
     */
    public ServerProbe(EventLoops loops, ServerPreface preface, @Nullable Supplier<SslContext> tls, Duration timeout) {
        this.loops = loops;
        this.preface = preface;
        this.tls = tls;
        this.timeout = timeout;
    }

    /** Sends {@code commands}, which name their {@code $db}, one after the other; the result never fails. */
    public CompletableFuture<Answers> ask(InetSocketAddress server, List<BsonDocument> commands) {
        ProbeHandler handler = new ProbeHandler(commands, timeout);
        resolver.resolve(server)
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((address, failure) -> {
                    if (failure != null) {
                        handler.unreachable(failure);
                    } else {
                        connect(server, address, handler);
                    }
                });
        return handler.answers();
    }

    private void connect(InetSocketAddress server, InetSocketAddress address, ProbeHandler handler) {
        ChannelFuture connecting = new Bootstrap()
                .group(loops.group())
                .channel(loops.socketChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeout.toMillis())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        preface.addTo(channel.pipeline(), null, null);
                        if (tls != null) {
                            SslHandler handshake =
                                    tls.get().newHandler(channel.alloc(), server.getHostString(), server.getPort());
                            channel.pipeline().addLast("tls", handshake);
                        }
                        channel.pipeline().addLast("frames", new ReplyDecoder());
                        channel.pipeline().addLast("probe", handler);
                    }
                })
                .connect(address);
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                handler.unreachable(done.cause());
            }
        });
    }

    @Override
    public void close() {
        resolver.close();
    }
}
