package io.scatterguard.proxy.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An event loop that a test turns by hand; its time passes when the test says so. */
final class FakeLoop implements SessionLoop {
    private record Timer(long dueNanos, Runnable task) {}

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final List<Timer> timers = new ArrayList<>();
    private long nanos;

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        Timer timer = new Timer(nanos + delay.toNanos(), task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    /** How many timers run. */
    int timers() {
        return timers.size();
    }

    /** Runs what was handed in. */
    void run() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Lets time pass, and runs what is due. */
    void pass(Duration time) {
        long end = nanos + time.toNanos();
        for (Optional<Timer> due = due(end); due.isPresent(); due = due(end)) {
            nanos = due.get().dueNanos();
            timers.remove(due.get());
            due.get().task().run();
        }
        nanos = end;
        run();
    }

    private Optional<Timer> due(long end) {
        return timers.stream().filter(timer -> timer.dueNanos() <= end).min(Comparator.comparingLong(Timer::dueNanos));
    }
}
