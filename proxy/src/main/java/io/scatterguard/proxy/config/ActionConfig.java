package io.scatterguard.proxy.config;

import org.jspecify.annotations.Nullable;

/**
 * What a rule does.
 *
 * @param choice what is done
 * @param rate what a {@code throttle} lets pass; null for any other choice
 */
public record ActionConfig(ActionChoice choice, @Nullable RateConfig rate) {
    static final String RATE_MISSING = "missing (expected: " + RateConfig.EXPECTED + ", for a throttle)";
    static final String RATE_UNUSED = "of no effect without a throttle (remove it)";

    public ActionConfig {
        new Requirements()
                .that(choice != ActionChoice.THROTTLE || rate != null, "rate", RATE_MISSING)
                .that(choice == ActionChoice.THROTTLE || rate == null, "rate", RATE_UNUSED)
                .check();
    }

    /** What needs no more said about it. */
    public static ActionConfig plain(ActionChoice choice) {
        return new ActionConfig(choice, null);
    }
}
