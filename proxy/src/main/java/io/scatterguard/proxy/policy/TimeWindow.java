package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.TimeWindowConfig;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.zone.ZoneRules;

/** Days and times of day at which something holds, ready for asking. */
final class TimeWindow {
    private static final int SECONDS_PER_DAY = 86_400;
    /** 1 January 1970 was a Thursday. */
    private static final int FIRST_DAY = DayOfWeek.THURSDAY.getValue() - 1;

    private final int days;
    private final int fromSecond;
    private final int toSecond;
    private final ZoneRules zone;

    TimeWindow(TimeWindowConfig config) {
        int bits = 0;
        for (DayOfWeek day : config.days()) {
            bits |= 1 << (day.getValue() - 1);
        }
        this.days = bits == 0 ? 0x7f : bits;
        this.fromSecond = config.fromMinute() * 60;
        this.toSecond = config.toMinute() * 60;
        this.zone = config.zone().getRules();
    }

    /** Whether {@code now} is within: from the first second to before the last, by the clock of the zone. */
    boolean holds(Instant now) {
        long local = now.getEpochSecond() + zone.getOffset(now).getTotalSeconds();
        long day = Math.floorDiv(local, SECONDS_PER_DAY);
        int second = (int) Math.floorMod(local, (long) SECONDS_PER_DAY);
        if (fromSecond < toSecond) {
            return begins(day) && second >= fromSecond && second < toSecond;
        }
        return (begins(day) && second >= fromSecond) || (begins(day - 1) && second < toSecond);
    }

    private boolean begins(long day) {
        return (days & 1 << Math.floorMod(day + FIRST_DAY, 7)) != 0;
    }
}
