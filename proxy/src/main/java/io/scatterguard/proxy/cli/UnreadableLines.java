package io.scatterguard.proxy.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Lines that cannot be used: the first of them by file, line and reason, and how many there are. */
final class UnreadableLines {
    private static final int SHOWN = 5;

    private final List<String> first = new ArrayList<>();
    private long count;

    /** @param why holds no values */
    void add(CheckedInput input, String why) {
        count++;
        if (first.size() < SHOWN) {
            first.add(input.name() + ":" + input.number() + ": " + why);
        }
    }

    void tell(PrintWriter err) {
        first.forEach(err::println);
        if (count > first.size()) {
            err.println("and " + (count - first.size()) + " more lines that cannot be read");
        }
    }
}
