package io.scatterguard.proxy.admin;

import org.jspecify.annotations.Nullable;

/** What an endpoint may look at of a request. */
public interface Question {
    /** A parameter of the query, the first of its name; null if there is none. */
    @Nullable String parameter(String name);

    /** A header; null if there is none. */
    @Nullable String header(String name);

    /**
     * The body, at most {@link Endpoint#maxBodyBytes}.
     *
     * @throws BadQuestionException if it is longer, or no UTF-8
     */
    String body() throws BadQuestionException;

    /**
     * A parameter that is a whole number.
     *
     * @throws BadQuestionException if it is none, or out of range
     */
    default int number(String name, int fallback, int low, int high) throws BadQuestionException {
        String text = parameter(name);
        if (text == null) {
            return fallback;
        }
        boolean good = text.matches("\\d{1,9}") && Integer.parseInt(text) >= low && Integer.parseInt(text) <= high;
        if (!good) {
            throw new BadQuestionException(name + ": not a number in range (expected: " + low + ".." + high + ")");
        }
        return Integer.parseInt(text);
    }
}
