package io.scatterguard.proxy.tracing;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Spans on their way from the event loops to the exporter: bounded; the lock is held for a few instructions only. */
final class SpanQueue {
    private final int capacity;
    private final int batch;
    private final ArrayDeque<EndedSpan> spans = new ArrayDeque<>();
    private boolean closed;

    /** {@code batch}: how many are worth being taken before their time. */
    SpanQueue(int capacity, int batch) {
        this.capacity = capacity;
        this.batch = batch;
    }

    /** False if there is no room, or it is closed. Never waits. */
    synchronized boolean offer(EndedSpan span) {
        if (closed || spans.size() >= capacity) {
            return false;
        }
        spans.addLast(span);
        if (spans.size() == 1 || spans.size() == batch) {
            notifyAll();
        }
        return true;
    }

    /**
     * Waits for the first span, then for as many as are worth a request, but for these no longer than {@code lingerMillis};
     * moves them to {@code into}.
     *
     * @return false if the queue is closed and empty
     */
    synchronized boolean take(List<EndedSpan> into, long lingerMillis) throws InterruptedException {
        while (spans.isEmpty() && !closed) {
            wait();
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lingerMillis);
        long left = lingerMillis;
        while (spans.size() < batch && !closed && left > 0) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
        while (into.size() < batch && !spans.isEmpty()) {
            into.add(spans.removeFirst());
        }
        return !into.isEmpty();
    }

    /** Takes no more spans; what is in it can still be taken. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
