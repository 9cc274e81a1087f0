package io.scatterguard.proxy.summary;

import java.util.Locale;

/** Figures for people. */
final class Figures {
    private static final double MICROS = 1e6;
    private static final double LONG_SECONDS = 120;

    private Figures() {}

    /** For instance {@code 12,345}. */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** For instance {@code 31.0 ms}, {@code 83.7 s}, {@code 14.0 min}, {@code 3.5 h}. */
    static String time(long micros) {
        double seconds = micros / MICROS;
        if (seconds < 1) {
            return String.format(Locale.ROOT, "%.1f ms", micros / 1000.0);
        } else if (seconds < LONG_SECONDS) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        } else if (seconds < LONG_SECONDS * 60) {
            return String.format(Locale.ROOT, "%.1f min", seconds / 60);
        }
        return String.format(Locale.ROOT, "%,.1f h", seconds / 3600);
    }

    /** For instance {@code 12.5 %}; what is not nothing is not shown as nothing. */
    static String percent(double part) {
        if (part > 0 && part < 0.0005) {
            return "< 0.1 %";
        }
        return String.format(Locale.ROOT, "%.1f %%", part * 100);
    }

    /** Which part {@code some} is of {@code all}; nothing of nothing. */
    static double share(long some, long all) {
        return all == 0 ? 0 : (double) some / all;
    }

    /** For instance {@code 5.4}, {@code 0.0021}. */
    static String decimal(double value) {
        return value != 0 && Math.abs(value) < 0.1
                ? String.format(Locale.ROOT, "%.2g", value)
                : String.format(Locale.ROOT, "%,.1f", value);
    }
}
