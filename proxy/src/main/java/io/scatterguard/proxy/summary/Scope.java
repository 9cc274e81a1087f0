package io.scatterguard.proxy.summary;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a summary is about.
 *
 * @param from the first day, in UTC; null for all
 * @param until the last day, in UTC; null for all
 * @param since shapes that were first seen on this day, in UTC, or later are new; null if that is not asked
 * @param namespaces of which namespaces, {@code db.coll}
 */
public record Scope(
        @Nullable LocalDate from,
        @Nullable LocalDate until,
        @Nullable LocalDate since,
        Predicate<String> namespaces) {
    public Scope {
        if (from != null && until != null && until.isBefore(from)) {
            throw new IllegalArgumentException("until: " + until + " (expected: " + from + " or later)");
        }
    }

    /** All that there is. */
    public static Scope everything() {
        return new Scope(null, null, null, namespace -> true);
    }

    /** Whether {@code day} is within; null is a time that nobody knows, and within what has no ends. */
    boolean holds(@Nullable LocalDate day) {
        if (day == null) {
            return from == null && until == null;
        }
        return (from == null || !day.isBefore(from)) && (until == null || !day.isAfter(until));
    }

    /** Whether what was first seen at {@code first} is new. */
    boolean isNew(@Nullable Instant first) {
        return since != null
                && first != null
                && !first.isBefore(since.atStartOfDay(ZoneOffset.UTC).toInstant());
    }
}
