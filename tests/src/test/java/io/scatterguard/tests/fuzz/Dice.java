package io.scatterguard.tests.fuzz;

import java.util.List;
import java.util.SplittableRandom;

/** A source of choices that a seed determines. */
final class Dice {
    private final SplittableRandom random;

    /** The choices of batch {@code number} of a run. */
    Dice(long seed, int number) {
        this.random = new SplittableRandom(mixed(mixed(seed) + number));
    }

    /** Spreads seeds that lie close together (MurmurHash3's finalizer), so that no two streams are shifts of one. */
    private static long mixed(long seed) {
        long z = (seed ^ (seed >>> 33)) * 0xff51afd7ed558ccdL;
        z = (z ^ (z >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return z ^ (z >>> 33);
    }

    /** A number from 0 to {@code bound - 1}. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    long any() {
        return random.nextLong();
    }

    /** True in {@code percent} of 100 cases. */
    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    final <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
