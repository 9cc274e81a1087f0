package io.scatterguard.proxy.net;

import io.netty.channel.EventLoop;
import io.scatterguard.proxy.session.SessionLoop;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The event loop of a client's channel as that of its session. */
final class ChannelLoop implements SessionLoop {
    private final EventLoop loop;

    ChannelLoop(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The process stops; with the loop its sessions have ended.
        }
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        Future<?> timer = loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }
}
