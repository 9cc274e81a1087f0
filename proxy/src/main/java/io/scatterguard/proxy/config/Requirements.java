package io.scatterguard.proxy.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a record demands of its values; collects every violation before it raises one exception for all. */
final class Requirements {
    private static final int MAX_TEXT_LENGTH = 200;

    private final List<InvalidValuesException.Problem> problems = new ArrayList<>();

    /** Demands {@code holds}; the message is {@code problem}. */
    Requirements that(boolean holds, String key, String problem) {
        if (!holds) {
            problems.add(new InvalidValuesException.Problem(key, problem));
        }
        return this;
    }

    /** Demands {@code low <= value <= high}. */
    Requirements range(String key, long value, long low, long high) {
        return that(value >= low && value <= high, key, value + " (expected: " + low + ".." + high + ")");
    }

    /** Demands {@code low <= value <= high}. */
    Requirements range(String key, Duration value, Duration low, Duration high) {
        return that(
                value.compareTo(low) >= 0 && value.compareTo(high) <= 0,
                key,
                Quantities.text(value) + " (expected: " + Quantities.text(low) + ".." + Quantities.text(high) + ")");
    }

    /** Demands a text that is not blank, has no control characters and at most 200 characters; null passes. */
    Requirements line(String key, @Nullable String value) {
        return line(key, value, MAX_TEXT_LENGTH);
    }

    /** Likewise with at most {@code maxLength} characters. */
    Requirements line(String key, @Nullable String value, int maxLength) {
        boolean good = value == null
                || (!value.isBlank()
                        && value.length() <= maxLength
                        && value.chars().noneMatch(Character::isISOControl));
        return that(good, key, "not one line of 1.." + maxLength + " characters");
    }

    /** Demands that no two elements of the list {@code key} agree in {@code field}; null agrees with nothing. */
    <T> Requirements distinct(String key, List<T> elements, String field, Function<T, @Nullable Object> value) {
        Map<Object, Integer> seen = new HashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            Object found = value.apply(elements.get(i));
            Integer first = found == null ? null : seen.putIfAbsent(found, i);
            that(
                    first == null,
                    key + "[" + i + "]." + field,
                    "the same as " + key + "[" + first + "]." + field + " (expected: a different one for each)");
        }
        return this;
    }

    /**
     * Ends the list of demands.
     *
     * @throws InvalidValuesException if one was not met
     */
    void check() {
        if (!problems.isEmpty()) {
            throw new InvalidValuesException(problems);
        }
    }
}
