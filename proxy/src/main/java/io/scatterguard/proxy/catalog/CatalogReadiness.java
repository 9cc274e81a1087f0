package io.scatterguard.proxy.catalog;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether a proxy can predict by its catalog, and what is wrong with it. A catalog that was loaded once stays ready however
 * old it gets: traffic goes on, and whether a command is a broadcast follows from shard keys, which hardly ever change; a
 * proxy that called itself unfit would turn an outage of metadata into one of the application.
 *
 * @param ready whether metadata was ever loaded
 * @param causes what is wrong, also where it is ready; empty if nothing is
 */
public record CatalogReadiness(boolean ready, List<Cause> causes) {
    /** From this many periods on the metadata is stale: one may be missed, two in a row tell of trouble. */
    static final int STALE_PERIODS = 3;

    /** What is wrong. */
    public enum Cause {
        /** Nothing could be read since the start. */
        NOTHING_LOADED("nothingLoaded"),
        /** The last success is {@link #STALE_PERIODS} periods ago, or longer. */
        STALE("stale"),
        /** The last attempt failed. */
        FAILING("failing"),
        /** The metadata of something could not be understood. */
        PROBLEMS("problems");

        private final String text;

        Cause(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public CatalogReadiness {
        causes = List.copyOf(causes);
    }

    /**
     * @param complete whether anything was ever loaded
     * @param age of the newest success
     * @param period between two refreshes
     */
    public static CatalogReadiness of(boolean complete, RefreshStatus status, Duration age, Duration period) {
        List<Cause> causes = new ArrayList<>();
        if (!complete) {
            causes.add(Cause.NOTHING_LOADED);
        } else if (age.compareTo(period.multipliedBy(STALE_PERIODS)) >= 0) {
            causes.add(Cause.STALE);
        }
        if (status.failuresInARow() > 0) {
            causes.add(Cause.FAILING);
        }
        if (!status.problems().isEmpty()) {
            causes.add(Cause.PROBLEMS);
        }
        return new CatalogReadiness(complete, causes);
    }
}
