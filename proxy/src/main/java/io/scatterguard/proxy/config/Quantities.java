package io.scatterguard.proxy.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The spelling of durations ({@code 500ms}, {@code 30s}, {@code 2d}) and sizes ({@code 64KiB}, or plain bytes). */
final class Quantities {
    static final String DURATION = "a duration like 500ms, 30s, 5m, 1h or 2d";
    static final String SIZE = "a size like 64KiB, 100MiB or 1GiB, or plain bytes";

    private static final Pattern QUANTITY = Pattern.compile("(\\d{1,18}) ?([A-Za-z]*)");
    private static final Map<String, ChronoUnit> DURATION_UNITS = Map.of(
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);
    private static final Map<String, Long> SIZE_UNITS =
            Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30, "TiB", 1L << 40);

    private Quantities() {}

    /**
     * The duration spelt {@code text}.
     *
     * @throws IllegalArgumentException if it is not a number with a unit
     */
    static Duration duration(String text) {
        Matcher matcher = match(text, DURATION);
        ChronoUnit unit = DURATION_UNITS.get(matcher.group(2));
        if (unit == null) {
            throw new IllegalArgumentException(DURATION);
        }
        try {
            return Duration.ofMillis(Math.multiplyExact(
                    Long.parseLong(matcher.group(1)), unit.getDuration().toMillis()));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(DURATION, e);
        }
    }

    /**
     * The number of bytes spelt {@code text}.
     *
     * @throws IllegalArgumentException if it is not a number with a binary unit
     */
    static long bytes(String text) {
        Matcher matcher = match(text, SIZE);
        Long unit = SIZE_UNITS.get(matcher.group(2));
        if (unit == null) {
            throw new IllegalArgumentException(SIZE);
        }
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(SIZE, e);
        }
    }

    private static Matcher match(String text, String expected) {
        Matcher matcher = QUANTITY.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(expected);
        }
        return matcher;
    }

    /** The shortest spelling that {@link #duration} reads back as the same. */
    static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
    }
}
