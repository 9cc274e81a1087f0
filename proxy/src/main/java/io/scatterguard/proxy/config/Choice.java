package io.scatterguard.proxy.config;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A value out of a fixed few, as it is written in the file. */
public interface Choice {
    /** The spelling in the file. */
    String text();

    /**
     * The constant of {@code type} spelt {@code text}.
     *
     * @throws IllegalArgumentException if it is nothing at all
     */
    static <E extends Enum<E> & Choice> E parse(String text, Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            if (constant.text().equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(expected(type));
    }

    /** The spellings, for an error message. */
    static <E extends Enum<E> & Choice> String expected(Class<E> type) {
        return Arrays.stream(type.getEnumConstants()).map(Choice::text).collect(Collectors.joining(" | "));
    }
}
