package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.admin.ReadyEndpoint.Cause;
import io.scatterguard.proxy.admin.ReadyEndpoint.Check;
import io.scatterguard.proxy.catalog.CatalogReadiness;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What {@code /readyz} looks at. */
public final class ReadyChecks {
    /** Where in its life a proxy is. */
    public enum Phase {
        STARTING("starting"),
        RUNNING("running"),
        DRAINING("draining");

        private final String text;

        Phase(String text) {
            this.text = text;
        }
    }

    private ReadyChecks() {}

    /** Whether the listeners accept. */
    public static Check phase(Supplier<Phase> current) {
        return () -> {
            Phase phase = current.get();
            return phase == Phase.RUNNING ? List.of() : List.of(Cause.blocking(phase.text));
        };
    }

    /**
     * What is wrong with the catalog.
     *
     * @param period between two refreshes
     * @param maxAge from which age on the proxy is not ready; null for never
     */
    public static Check catalog(CatalogRefresher catalog, Duration period, @Nullable Duration maxAge, Clock clock) {
        return () -> {
            boolean complete = catalog.current().complete();
            Duration age = catalog.age(clock.instant());
            List<Cause> causes = new ArrayList<>();
            for (CatalogReadiness.Cause cause :
                    CatalogReadiness.of(complete, catalog.status(), age, period).causes()) {
                boolean blocking = cause == CatalogReadiness.Cause.NOTHING_LOADED;
                causes.add(blocking ? Cause.blocking(cause.text()) : Cause.notice(cause.text()));
            }
            if (complete && maxAge != null && age.compareTo(maxAge) > 0) {
                causes.add(Cause.blocking("catalogTooOld"));
            }
            return causes;
        };
    }

    /** Whether the last edit of the configuration was wrong, so that an earlier one is in force. */
    public static Check configuration(BooleanSupplier refused) {
        return () -> refused.getAsBoolean() ? List.of(Cause.notice("configurationRefused")) : List.of();
    }

    /** Whether nothing is judged at {@code listener}. */
    public static Check bypass(String listener, BooleanSupplier bypassed) {
        return () -> bypassed.getAsBoolean() ? List.of(new Cause("bypassed", false, listener)) : List.of();
    }
}
