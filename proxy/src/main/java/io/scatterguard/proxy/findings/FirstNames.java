package io.scatterguard.proxy.findings;

import java.util.ArrayList;
import java.util.List;

/** The first few names of something, and how often another came. Not thread-safe: whoever has it guards it. */
final class FirstNames {
    /** How many are told apart. */
    static final int MAX_NAMES = 5;

    private final List<String> names = new ArrayList<>(1);
    private long others;

    void add(String name) {
        if (names.contains(name)) {
            return;
        }
        if (names.size() < MAX_NAMES) {
            names.add(name);
        } else {
            others++;
        }
    }

    KnownShape.Names names() {
        return new KnownShape.Names(names, others);
    }
}
