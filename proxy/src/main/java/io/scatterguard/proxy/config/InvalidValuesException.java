package io.scatterguard.proxy.config;

import java.util.List;
import java.util.stream.Collectors;

/** Raised by the constructor of a configuration record: which of its values are wrong, all of them. */
final class InvalidValuesException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /**
     * One wrong value.
     *
     * @param key the key below the record's own, for instance {@code rules[1].name}
     * @param text the value and what was expected
     */
    record Problem(String key, String text) {}

    InvalidValuesException(List<Problem> problems) {
        super(problems.stream().map(p -> p.key() + ": " + p.text()).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    List<Problem> problems() {
        return problems;
    }
}
