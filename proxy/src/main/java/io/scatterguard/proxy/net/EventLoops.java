package io.scatterguard.proxy.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The event loops and the transport that goes with them: native epoll where it is there, NIO elsewhere. */
public final class EventLoops implements AutoCloseable {
    /** The prefix of the loops' thread names. */
    public static final String THREAD_PREFIX = "scatterguard-io";

    private final boolean epoll;
    private final EventLoopGroup group;

    private EventLoops(boolean epoll, int threads) {
        this.epoll = epoll;
        IoHandlerFactory factory = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        this.group = new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(THREAD_PREFIX), factory);
    }

    /** As many loops as there are processors, on the best transport. */
    public static EventLoops create() {
        return create(Runtime.getRuntime().availableProcessors());
    }

    public static EventLoops create(int threads) {
        return new EventLoops(Epoll.isAvailable(), threads);
    }

    /** As many loops as there are processors, on Java's own transport. */
    public static EventLoops createNio() {
        return new EventLoops(false, Runtime.getRuntime().availableProcessors());
    }

    EventLoopGroup group() {
        return group;
    }

    Class<? extends ServerChannel> serverChannel() {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    Class<? extends SocketChannel> socketChannel() {
        return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** {@code epoll} or {@code nio}. */
    public String transport() {
        return epoll ? "epoll" : "nio";
    }

    /**
     * Returns once each loop has ended what it was at when this was called. Not to be called on one of them.
     *
     * @return false if one has not within {@code timeout}
     */
    public boolean settle(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<Future<?>> turns = new ArrayList<>();
        for (EventExecutor loop : group) {
            turns.add(loop.submit(() -> {}));
        }
        for (Future<?> turn : turns) {
            if (!turn.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return true;
    }

    /** Stops the loops; waits up to five seconds. */
    @Override
    public void close() {
        group.shutdownGracefully(0, Duration.ofSeconds(5).toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(Duration.ofSeconds(5).toMillis());
    }
}
