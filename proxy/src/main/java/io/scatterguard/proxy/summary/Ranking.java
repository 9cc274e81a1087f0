package io.scatterguard.proxy.summary;

import java.util.List;

/**
 * The first of many names, by what they come to, and everything else in sums: nothing is left out.
 *
 * @param rows the first ones
 * @param otherNames how many further names there are, at least
 * @param other what those come to
 * @param unnamed what has no name: it is not recorded, or not known
 */
public record Ranking(List<Row> rows, long otherNames, Sums other, Sums unnamed) {
    /** One name. */
    public record Row(String name, Sums sums) {}

    public Ranking {
        rows = List.copyOf(rows);
    }
}
