package io.scatterguard.proxy.summary;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sums by day. Not thread-safe. */
final class DayTally {
    /** How many days are told apart, and how many are listed that have nothing. */
    static final int MAX_DAYS = 1_000;

    private final TreeMap<LocalDate, Summary.Day> byDay = new TreeMap<>();
    private Summary.Day other = new Summary.Day(null, 0, Sums.NONE, 0);

    void add(@Nullable LocalDate day, long commands, Sums sums, long lost) {
        if (day == null || (!byDay.containsKey(day) && byDay.size() >= MAX_DAYS)) {
            other = plus(other, commands, sums, lost);
        } else {
            Summary.Day before = byDay.getOrDefault(day, new Summary.Day(day, 0, Sums.NONE, 0));
            byDay.put(day, plus(before, commands, sums, lost));
        }
    }

    private static Summary.Day plus(Summary.Day day, long commands, Sums sums, long lost) {
        return new Summary.Day(day.day(), day.commands() + commands, day.sums().plus(sums), day.lost() + lost);
    }

    /** In order, those between that have nothing included; at the end what has no day, if there is any. */
    List<Summary.Day> all() {
        List<Summary.Day> days = new ArrayList<>();
        if (!byDay.isEmpty()) {
            boolean dense = byDay.firstKey().plusDays(MAX_DAYS).isAfter(byDay.lastKey());
            if (dense) {
                byDay.firstKey()
                        .datesUntil(byDay.lastKey().plusDays(1))
                        .forEach(day -> days.add(byDay.getOrDefault(day, new Summary.Day(day, 0, Sums.NONE, 0))));
            } else {
                days.addAll(byDay.values());
            }
        }
        if (other.commands() > 0 || other.lost() > 0) {
            days.add(other);
        }
        return days;
    }
}
