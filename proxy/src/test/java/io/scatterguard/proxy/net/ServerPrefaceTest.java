package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServerPrefaceTest {
    private static final InetSocketAddress SOURCE = new InetSocketAddress("203.0.113.7", 51_234);
    private static final InetSocketAddress DESTINATION = new InetSocketAddress("10.0.0.5", 27_017);
    private static final byte[] MESSAGE = {16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, (byte) 0xDD, 7, 0, 0};
    private static final int TLS_HANDSHAKE = 0x16;

    private static byte[] header(ServerPreface preface) {
        return switch (preface) {
            case NONE -> new byte[0];
            case PROXY_V1 -> HeaderBytes.V1_TCP4;
            case PROXY_V2 -> HeaderBytes.V2_TCP4;
        };
    }

    private static ChannelFuture connect(EventLoops loops, int port, ServerPreface preface, boolean tls)
            throws Exception {
        SslContext context =
                tls ? SslContextBuilder.forClient().sslProvider(SslProvider.JDK).build() : null;
        return new Bootstrap()
                .group(loops.group())
                .channel(loops.socketChannel())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        preface.addTo(channel.pipeline(), SOURCE, DESTINATION);
                        if (context != null) {
                            channel.pipeline().addLast(context.newHandler(channel.alloc()));
                        }
                    }
                })
                .connect(InetAddress.getLoopbackAddress(), port);
    }

    /** Whoever is told of the connection writes at once. */
    @ParameterizedTest
    @EnumSource(ServerPreface.class)
    void nothingOvertakesIt(ServerPreface preface) throws Exception {
        byte[] header = header(preface);
        try (EventLoops loops = EventLoops.create(1);
                ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            ChannelFuture connecting = connect(loops, server.getLocalPort(), preface, false);
            connecting.addListener(done -> connecting.channel().writeAndFlush(Unpooled.wrappedBuffer(MESSAGE)));
            try (Socket accepted = server.accept()) {
                assertThat(accepted.getInputStream().readNBytes(header.length)).isEqualTo(header);
                assertThat(accepted.getInputStream().readNBytes(MESSAGE.length)).isEqualTo(MESSAGE);
                assertThat(connecting.channel().pipeline().get("preface")).isNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ServerPreface.class)
    void itIsInClearBeforeTls(ServerPreface preface) throws Exception {
        byte[] header = header(preface);
        try (EventLoops loops = EventLoops.create(1);
                ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Channel channel =
                    connect(loops, server.getLocalPort(), preface, true).channel();
            try (Socket accepted = server.accept()) {
                assertThat(accepted.getInputStream().readNBytes(header.length)).isEqualTo(header);
                assertThat(accepted.getInputStream().read()).isEqualTo(TLS_HANDSHAKE);
            }
            channel.closeFuture().awaitUninterruptibly();
        }
    }

    @Test
    void aConnectionThatIsNotMadeFailsAsEver() throws Exception {
        int gone;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gone = socket.getLocalPort();
        }
        try (EventLoops loops = EventLoops.create(1)) {
            ChannelFuture connecting = connect(loops, gone, ServerPreface.PROXY_V2, false);
            connecting.awaitUninterruptibly();
            assertThat(connecting.cause()).isInstanceOf(ConnectException.class);
        }
    }
}
