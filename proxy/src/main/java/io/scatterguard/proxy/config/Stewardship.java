package io.scatterguard.proxy.config;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Why a rule is there, and for how long.
 *
 * @param reason why, for people; null if not given
 * @param owner whom to ask, for people; null if not given
 * @param until the last day it applies, in UTC; null for no end
 */
public record Stewardship(
        @Nullable String reason,
        @Nullable String owner,
        @Nullable LocalDate until) {
    /** Nobody said anything. */
    public static final Stewardship NONE = new Stewardship(null, null, null);

    public Stewardship {
        new Requirements().line("reason", reason).line("owner", owner).check();
    }
}
