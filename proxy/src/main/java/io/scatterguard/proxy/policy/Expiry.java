package io.scatterguard.proxy.policy;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a rule or an exemption ends.
 *
 * @param second the first second, of those since 1970, in which it no longer applies
 */
record Expiry(long second) {
    /** How many days before its last day it is announced. */
    static final int NOTICE_DAYS = 14;

    /** The end of the day {@code until} in UTC; never for null. */
    static Expiry after(@Nullable LocalDate until) {
        return new Expiry(
                until == null
                        ? Long.MAX_VALUE
                        : until.plusDays(1).atStartOfDay(ZoneOffset.UTC).toEpochSecond());
    }

    boolean isOver(Instant now) {
        return now.getEpochSecond() >= second;
    }

    /**
     * Adds at most two lines for a person to {@code notices}, about many of a kind that end each by itself.
     *
     * @param what for instance {@code baseline shapes}
     * @param ends their last days
     */
    static void announceAll(String what, List<LocalDate> ends, LocalDate today, List<String> notices) {
        List<LocalDate> over =
                ends.stream().filter(until -> until.isBefore(today)).sorted().toList();
        List<LocalDate> soon = ends.stream()
                .filter(until -> !until.isBefore(today) && !until.isAfter(today.plusDays(NOTICE_DAYS)))
                .sorted()
                .toList();
        if (!over.isEmpty()) {
            notices.add(what + " expired, no longer apply count=" + over.size() + " last=" + over.get(over.size() - 1));
        }
        if (!soon.isEmpty()) {
            notices.add(what + " about to expire count=" + soon.size() + " first=" + soon.get(0));
        }
    }

    /**
     * Adds a line for a person to {@code notices}, if {@code until} is over on {@code today} or soon will be: what, owner,
     * last day.
     *
     * @param what for instance {@code exemption}
     * @param name for instance {@code id=nightly}
     */
    static void announce(
            String what,
            String name,
            @Nullable String owner,
            @Nullable LocalDate until,
            LocalDate today,
            List<String> notices) {
        if (until != null && !until.isAfter(today.plusDays(NOTICE_DAYS))) {
            String whom = owner == null ? "nobody" : "\"" + owner + "\"";
            String state = until.isBefore(today) ? "expired, no longer applies" : "about to expire";
            notices.add(what + " " + state + " " + name + " owner=" + whom + " until=" + until);
        }
    }
}
