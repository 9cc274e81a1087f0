package io.scatterguard.proxy.findings;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one shape at the time of asking.
 *
 * @param last what was said of the newest command
 * @param lastFinding what was said of the newest one that was a finding; null if none was
 * @param clients who sends them
 * @param period when the first and the last one ended
 */
public record KnownShape(
        Sighting.Subject subject,
        Opinion last,
        @Nullable Opinion lastFinding,
        Tally tally,
        Clients clients,
        Period period) {
    /** Where a command goes and what was said of it. */
    public record Opinion(Destination destination, Sighting.Decision decision) {}

    /** Applications, and tests that name themselves in a comment. */
    public record Clients(Names apps, Names tests) {}

    /**
     * The first {@value FirstNames#MAX_NAMES} names, in the order they came.
     *
     * @param others how many commands had another
     */
    public record Names(List<String> names, long others) {
        public Names {
            names = List.copyOf(names);
        }
    }

    public record Period(Instant first, Instant last) {}
}
