package io.scatterguard.proxy.config;

import java.time.LocalDate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Commands that pass although a rule or a default speaks against them.
 *
 * @param id what a comment names and records show
 * @param match which commands; null for one that applies only where a command's comment names it
 * @param reason why, for people; null if not given
 * @param owner whom to ask, for people; null if not given
 * @param until the last day it applies, in UTC; null for no end
 */
public record ExemptionConfig(
        String id,
        @Nullable SelectorConfig match,
        @Nullable String reason,
        @Nullable String owner,
        @Nullable LocalDate until) {
    /** How many characters an id has at most. */
    public static final int MAX_ID_CHARS = 100;

    /** The characters of an id; a full stop or dash at the end of a comment's sentence is not part of it. */
    public static final Pattern ID =
            Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9._-]{0," + (MAX_ID_CHARS - 2) + "}[A-Za-z0-9])?");

    static final String ID_EXPECTED = "1.." + MAX_ID_CHARS + " letters, digits and inner . _ -";

    public ExemptionConfig {
        new Requirements()
                .that(ID.matcher(id).matches(), "id", "not an id (expected: " + ID_EXPECTED + ")")
                .that(
                        match == null || !match.isAll(),
                        "match",
                        "empty, which would exempt everything (expected: something that narrows it, like namespace or"
                                + " appName; or no match, for an exemption that comments name)")
                .line("reason", reason)
                .line("owner", owner)
                .check();
    }
}
