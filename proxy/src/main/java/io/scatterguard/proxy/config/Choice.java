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
     * @param notYet spellings that later versions bring
     * @throws UnsupportedOperationException if it is one of {@code notYet}
     * @throws IllegalArgumentException if it is nothing at all
     */
    static <E extends Enum<E> & Choice> E parse(String text, Class<E> type, String... notYet) {
        for (E constant : type.getEnumConstants()) {
            if (constant.text().equals(text)) {
                return constant;
            }
        }
        if (Arrays.asList(notYet).contains(text)) {
            throw new UnsupportedOperationException(text);
        }
        throw new IllegalArgumentException(expected(type));
    }

    /** The spellings, for an error message. */
    static <E extends Enum<E> & Choice> String expected(Class<E> type) {
        return Arrays.stream(type.getEnumConstants()).map(Choice::text).collect(Collectors.joining(" | "));
    }
}
