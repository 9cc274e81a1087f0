package io.scatterguard.tests.fuzz;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How much is run, and from which seed: system properties that the build sets ({@code scatterguard.fuzz.cases},
 * {@code scatterguard.fuzz.seed}).
 *
 * @param cases of each property
 */
record FuzzSettings(long seed, int cases) {
    /** The seed of a build is fixed, so that a red one can be repeated; {@code random} takes one that is printed. */
    static FuzzSettings read() {
        String seed = System.getProperty("scatterguard.fuzz.seed", "1");
        long number = seed.equals("random") ? ThreadLocalRandom.current().nextLong(1 << 30) : Long.parseLong(seed);
        return new FuzzSettings(number, Integer.getInteger("scatterguard.fuzz.cases", 200_000));
    }

    FuzzRun run(boolean proven) {
        return new FuzzRun(seed, cases, proven);
    }
}
