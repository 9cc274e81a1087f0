package io.scatterguard.proxy.catalog;

import java.time.Duration;
import java.time.Instant;

/**
 * That the chunks of a collection are no tiling at one version. What the source answered may have been wrong, and not the
 * cluster's metadata, so they are read again although their version is the same: ever more rarely.
 *
 * @param problem what is wrong with them
 * @param readings how often they were found broken at this version, beginning with 1
 * @param againAt from when on they are read again
 */
record BrokenChunks(CatalogProblem problem, int readings, Instant againAt) {
    /** How soon they are read again at first: with the next refresh, unless those follow each other closely. */
    static final Duration FIRST_PAUSE = Duration.ofSeconds(5);

    /** How long the pause becomes: a full reading of a large collection then costs little, and healing is seen in minutes. */
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    /** Found so {@code now}, after so many earlier findings at the same version. */
    static BrokenChunks found(CatalogProblem problem, int before, Instant now) {
        long seconds = FIRST_PAUSE.toSeconds() << Math.min(before, 20);
        return new BrokenChunks(problem, before + 1, now.plusSeconds(Math.min(seconds, LONGEST_PAUSE.toSeconds())));
    }
}
