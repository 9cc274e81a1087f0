package io.scatterguard.tests.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What a {@link ScriptedMongos} saw, in order of arrival, and a way to wait for more of it. Thread-safe. */
final class RequestLog {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<WireFrame> requests = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    synchronized void record(WireFrame request, List<WireFrame> ofConnection) {
        requests.add(request);
        ofConnection.add(request);
        notifyAll();
    }

    synchronized void fail(Throwable failure) {
        failures.add(failure);
        notifyAll();
    }

    /** Runs a change that somebody may be waiting for. */
    synchronized void change(Runnable change) {
        change.run();
        notifyAll();
    }

    synchronized List<WireFrame> copyOf(List<WireFrame> requestsOfConnection) {
        return List.copyOf(requestsOfConnection);
    }

    synchronized List<WireFrame> requests(Predicate<WireFrame> wanted) {
        return requests.stream().filter(wanted).toList();
    }

    synchronized List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** The first {@code count} or more wanted requests, once there are as many. */
    synchronized List<WireFrame> await(String what, int count, Predicate<WireFrame> wanted) {
        awaitUntil(
                () -> requests(wanted).size() >= count,
                () -> count + " requests (" + what + "), got "
                        + requests(wanted).size());
        return requests(wanted);
    }

    /** Waits for a condition over what this log guards. */
    synchronized void awaitUntil(BooleanSupplier condition, Supplier<String> what) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            long leftMillis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (leftMillis <= 0) {
                throw new AssertionError("waited " + PATIENCE.toSeconds() + " s for " + what.get() + "; saw "
                        + requests.stream().map(WireFrame::commandName).toList() + ", failures " + failures);
            }
            try {
                wait(leftMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for " + what.get(), e);
            }
        }
    }
}
