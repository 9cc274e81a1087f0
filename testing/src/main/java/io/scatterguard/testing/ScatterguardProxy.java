package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Findings;
import org.jspecify.annotations.Nullable;

/** The proxy in front of which a test runs: a parameter of tests, life-cycle methods and constructors, or {@link #current}. */
public final class ScatterguardProxy {
    static volatile @Nullable ScatterguardProxy current;

    private final Guard guard;
    private final String database;

    ScatterguardProxy(Guard guard, String database) {
        this.guard = guard;
        this.database = database;
    }

    /**
     * The proxy of the test class that runs now, for what JUnit passes no parameters to, like a static method with Spring's
     * {@code @DynamicPropertySource}.
     *
     * @throws IllegalStateException if none runs
     */
    public static ScatterguardProxy current() {
        ScatterguardProxy now = current;
        if (now == null) {
            throw new IllegalStateException(
                    "no proxy runs: is @Scatterguard on the test class, before the annotations of"
                            + " whatever asks for the proxy's address?");
        }
        return now;
    }

    /**
     * The connection string for clients: one host, and the credentials of {@link Scatterguard#upstream} if that has any. With the
     * database of {@link Scatterguard#database}.
     */
    public String uri() {
        return guard.uri(database);
    }

    /** Likewise, with this database. */
    public String uri(String database) {
        return guard.uri(database);
    }

    /** What was recorded since the test began, or the last {@link #reset}; every command that was answered by now is in it. */
    public Findings findings() {
        return guard.findings();
    }

    /** Forgets what was recorded so far, so that it fails no test: for a test that looks for a broadcast. */
    public void reset() {
        guard.take();
    }
}
