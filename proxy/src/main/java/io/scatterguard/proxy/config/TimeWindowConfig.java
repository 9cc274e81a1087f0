package io.scatterguard.proxy.config;

import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When something holds: on these days of the week, from one time of the day to another. Where {@code from} is later than
 * {@code to}, the window begins on these days and ends on the day after each.
 *
 * @param days the days on which the window begins; empty for all
 * @param fromMinute the first minute of the day, 0..1439
 * @param toMinute the minute of the day at which it ends, 1..1440
 * @param zone whose clock counts
 */
public record TimeWindowConfig(List<DayOfWeek> days, int fromMinute, int toMinute, ZoneId zone) {
    /** 24:00. */
    public static final int END_OF_DAY = 24 * 60;

    static final String FROM_EXPECTED = "a time like 08:00, 00:00..23:59";
    static final String TO_EXPECTED = "a time like 18:00, 00:01..24:00";

    private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d{2})");

    /** A day of the week, by its first three letters. */
    enum Day implements Choice {
        MON(DayOfWeek.MONDAY),
        TUE(DayOfWeek.TUESDAY),
        WED(DayOfWeek.WEDNESDAY),
        THU(DayOfWeek.THURSDAY),
        FRI(DayOfWeek.FRIDAY),
        SAT(DayOfWeek.SATURDAY),
        SUN(DayOfWeek.SUNDAY);

        private final DayOfWeek dayOfWeek;

        Day(DayOfWeek dayOfWeek) {
            this.dayOfWeek = dayOfWeek;
        }

        @Override
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        DayOfWeek dayOfWeek() {
            return dayOfWeek;
        }
    }

    public TimeWindowConfig {
        days = List.copyOf(days);
        boolean begins = fromMinute >= 0 && fromMinute < END_OF_DAY;
        boolean ends = toMinute > 0 && toMinute <= END_OF_DAY;
        new Requirements()
                .that(begins, "from", "no such time (expected: " + FROM_EXPECTED + ")")
                .that(ends, "to", "no such time (expected: " + TO_EXPECTED + ")")
                .that(
                        fromMinute != toMinute || !begins || !ends,
                        "to",
                        "the same as from, which is no time at all (expected: another; or neither, for whole days)")
                .check();
    }

    /**
     * The minute of the day spelt {@code HH:MM}.
     *
     * @throws IllegalArgumentException if it is none up to 24:00
     */
    static int minute(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(FROM_EXPECTED);
        }
        int minutes = Integer.parseInt(matcher.group(2));
        int minute = Integer.parseInt(matcher.group(1)) * 60 + minutes;
        if (minutes > 59 || minute > END_OF_DAY) {
            throw new IllegalArgumentException(FROM_EXPECTED);
        }
        return minute;
    }
}
