package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

@ExtendWith(BlockHoundExtension.class)
class BlockHoundExtensionTest {
    @Test
    void sleepingAndParkingOnAnEventLoopAreRecorded() {
        onEventLoop("scatterguard-io", BlockHoundExtensionTest::sleep);
        onEventLoop("scatterguard-io", () -> LockSupport.parkNanos(1));
        assertThat(BlockingCalls.drain())
                .hasSize(2)
                .allSatisfy(call -> assertThat(call.getStackTrace())
                        .extracting(StackTraceElement::getClassName)
                        .contains(BlockHoundExtensionTest.class.getName()))
                .extracting(Throwable::getMessage)
                .satisfiesExactly(
                        message -> assertThat(message).contains("sleep", "on scatterguard-io"),
                        message -> assertThat(message).contains("park", "on scatterguard-io"));
    }

    @Test
    void otherLoopsAndPlainThreadsMayBlock() throws InterruptedException {
        onEventLoop("other-io", BlockHoundExtensionTest::sleep);
        Thread plain = new Thread(BlockHoundExtensionTest::sleep, "scatterguard-catalog");
        plain.start();
        plain.join();
        assertThat(BlockingCalls.drain()).isEmpty();
    }

    @Test
    void anEventLoopThatOnlyMovesBytesAndLogsDoesNotBlock() {
        try (LoopGroup group = new LoopGroup("scatterguard-io")) {
            Channel server = new ServerBootstrap()
                    .group(group.loops)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new Echo())
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .syncUninterruptibly()
                    .channel();
            int port = ((InetSocketAddress) server.localAddress()).getPort();
            try (RawClient client = RawClient.connect(port)) {
                client.sendBytes(new byte[100_000]);
                client.readBytes(100_000);
            }
        }
        assertThat(BlockingCalls.drain()).isEmpty();
    }

    @Test
    void aTestOfAWatchedClassFails() {
        assertThat(TestRuns.failuresOf(Blocking.class))
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("1 blocking calls")
                        .hasRootCauseInstanceOf(AssertionError.class));
    }

    private static void sleep() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void onEventLoop(String name, Runnable work) {
        try (LoopGroup group = new LoopGroup(name)) {
            CompletableFuture.runAsync(work, group.loops).join();
        }
    }

    @ExtendWith(BlockHoundExtension.class)
    static class Blocking {
        @Test
        void sample() {
            onEventLoop("scatterguard-io", BlockHoundExtensionTest::sleep);
        }
    }

    @ChannelHandler.Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            LoggerFactory.getLogger(Echo.class).info("echo");
            var unused = context.writeAndFlush(message);
        }
    }

    /** One event loop that ends with the block that uses it. */
    private static final class LoopGroup implements AutoCloseable {
        private final EventLoopGroup loops;

        LoopGroup(String name) {
            loops = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name), NioIoHandler.newFactory());
        }

        @Override
        public void close() {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }
}
