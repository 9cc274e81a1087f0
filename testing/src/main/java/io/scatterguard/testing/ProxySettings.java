package io.scatterguard.testing;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy is started by. Classes whose settings are equal share one.
 *
 * @param upstream a connection string; empty for an embedded server
 */
record ProxySettings(String upstream, Files files, Judging judging) {
    /** Names as in {@link Scatterguard}; each is empty for none. */
    record Files(String rules, String config, String baseline) {}

    /** @param routerVersion empty for that of the database */
    record Judging(OnUnknown onUnknown, boolean enforce, String routerVersion) {}

    static final String UPSTREAM_PROPERTY = "scatterguard.upstream";
    static final String UPSTREAM_VARIABLE = "SCATTERGUARD_UPSTREAM";

    /**
     * What {@code annotation} says, and where it leaves the upstream open, what is said around the test run.
     *
     * @param properties reads a system property
     * @param environment reads an environment variable
     */
    static ProxySettings of(
            Scatterguard annotation,
            UnaryOperator<@Nullable String> properties,
            UnaryOperator<@Nullable String> environment) {
        return new ProxySettings(
                first(annotation.upstream(), properties.apply(UPSTREAM_PROPERTY), environment.apply(UPSTREAM_VARIABLE)),
                new Files(annotation.rules(), annotation.config(), annotation.baseline()),
                new Judging(annotation.onUnknown(), annotation.enforce(), annotation.routerVersion()));
    }

    /** A variable that is set to nothing is how scripts leave one out. */
    private static String first(@Nullable String... candidates) {
        for (String candidate : candidates) {
            if (candidate != null && !candidate.isBlank()) {
                return candidate;
            }
        }
        return "";
    }
}
