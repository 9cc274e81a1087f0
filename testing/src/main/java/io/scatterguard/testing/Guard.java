package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.TextReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A proxy, and which test it is in front of: what it records belongs to the one test that runs. */
@SuppressWarnings("deprecation") // JUnit before 5.13 closes nothing else at the end of a run
final class Guard implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    private final RunningProxy proxy;
    private @Nullable String running;
    private boolean closed;

    Guard(RunningProxy proxy) {
        this.proxy = proxy;
    }

    /** @param database in its path; empty for that of the upstream's */
    String uri(String database) {
        return proxy.uri(database);
    }

    /**
     * A test begins.
     *
     * @return what was recorded before, while no test ran
     * @throws IllegalStateException if another one runs: findings could not be told apart from now on
     */
    synchronized Findings begin(String test) {
        if (running != null) {
            throw new IllegalStateException(
                    test + ": began while " + running + " ran in front of the same proxy, so that"
                            + " nobody could tell whose findings are whose (expected: one after another, which the resource lock "
                            + Scatterguard.LOCK + " of @Scatterguard sees to)");
        }
        Findings before = proxy.take();
        running = test;
        return before;
    }

    /** The test that runs ends; returns what was recorded since it began. */
    synchronized Findings end() {
        running = null;
        return proxy.take();
    }

    /** What was recorded since it was last taken. */
    Findings take() {
        return proxy.take();
    }

    /** Likewise, without taking it. */
    Findings findings() {
        return proxy.findings();
    }

    /** What the proxy has seen since it started. */
    RunningProxy.Seen seen() {
        return proxy.seen();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Steps.all(this::printRest, proxy::close);
        }
    }

    /** No test and no class is left that could fail for it. */
    private void printRest() {
        Findings rest = proxy.take();
        int number = rest.all().size();
        if (number > 0) {
            Notices.print(number + (number == 1 ? " finding" : " findings") + " after the last test:\n\n"
                    + TextReport.of(rest, Colours.OFF));
        }
    }
}
