package io.scatterguard.proxy.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name somebody probably meant: the one with the fewest edits, if they are few. */
public final class NearestName {
    private NearestName() {}

    /** The nearest of {@code known} to {@code name}; empty if none is near. */
    public static Optional<String> of(String name, Collection<String> known) {
        int most = Math.max(1, Math.min(3, name.length() / 3));
        String nearest = null;
        for (String candidate : known) {
            int edits = edits(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (edits <= most) {
                nearest = candidate;
                most = edits - 1;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** The edit distance in which swapping two neighbours counts as one edit. */
    private static int edits(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 ? j : j == 0 ? i : cheapest(a, b, i, j, cost);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(String a, String b, int i, int j, int[][] cost) {
        int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
