package io.scatterguard.tests.fuzz.wire;

import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How much Jazzer runs: system properties that the build sets.
 *
 * @param seconds of each target ({@code scatterguard.jazzer.seconds})
 * @param seed {@code scatterguard.fuzz.seed}, as of the other fuzzing
 * @param target the only target, empty for all ({@code scatterguard.jazzer.target})
 * @param keep a folder that stays, with the corpus as it has grown; empty for none ({@code scatterguard.jazzer.keep})
 */
record JazzerSettings(int seconds, long seed, String target, String keep) {
    /** More than a second of a fast machine can do, so that the time decides; and an end if time does not pass. */
    private static final long MOST_RUNS_A_SECOND = 100_000;

    private static final long MAX_SEED = 1L << 30;

    static JazzerSettings read() {
        String seed = System.getProperty("scatterguard.fuzz.seed", "1");
        return new JazzerSettings(
                Integer.getInteger("scatterguard.jazzer.seconds", 10),
                seed.equals("random") ? ThreadLocalRandom.current().nextLong(1, MAX_SEED) : Long.parseLong(seed),
                System.getProperty("scatterguard.jazzer.target", ""),
                System.getProperty("scatterguard.jazzer.keep", ""));
    }

    long runs() {
        return seconds * MOST_RUNS_A_SECOND;
    }

    boolean isChosen(WireTarget candidate) {
        return target.isEmpty() || target.equals(candidate.text());
    }

    /** Whether it runs for the seconds of a build. */
    boolean isBrief() {
        return seconds < 60;
    }

    boolean isKept() {
        return !keep.isEmpty();
    }

    /** Where the run of {@code of} keeps its files. */
    Path folder(WireTarget of, Path temporary) {
        return isKept() ? Path.of(keep).toAbsolutePath().resolve(of.text()) : temporary;
    }
}
