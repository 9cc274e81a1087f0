package io.scatterguard.proxy.session;

import io.scatterguard.proxy.catalog.LiveCatalog;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The catalog as the sessions of one listener use it: what is not loaded, and what passes that changes it. */
public final class ListenerCatalog {
    private final LiveCatalog live;
    private final Duration loadTimeout;
    private final LoadPatience patience;
    private final ChangeReports reports;

    /**
     * @param loadTimeout how long a command waits for metadata; zero for not at all
     * @param nanoTime the clock for durations, in nanoseconds
     */
    public ListenerCatalog(LiveCatalog live, Duration loadTimeout, LongSupplier nanoTime) {
        this.live = live;
        this.loadTimeout = loadTimeout;
        this.patience = new LoadPatience(nanoTime);
        this.reports = new ChangeReports(live, nanoTime);
    }

    LiveCatalog live() {
        return live;
    }

    Duration loadTimeout() {
        return loadTimeout;
    }

    LoadPatience patience() {
        return patience;
    }

    ChangeReports reports() {
        return reports;
    }
}
