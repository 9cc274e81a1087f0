package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.policy.ExemptionState;
import io.scatterguard.proxy.reports.Finding;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What audit logs say. Holds no values of commands.
 *
 * @param shapes the costliest first
 * @param days every day from the first to the last
 * @param sources which proxies wrote it
 */
public record Summary(
        Period period,
        Read read,
        Totals totals,
        Shapes shapes,
        Parts parts,
        List<Day> days,
        Exemptions exemptions,
        List<Source> sources) {
    public Summary {
        days = List.copyOf(days);
        sources = List.copyOf(sources);
    }

    /** How many shards {@code shardMicros} keep busy all the time, on average. 0 where nobody knows how long it was. */
    double busyShards(long shardMicros) {
        long micros = period.micros();
        return micros == 0 ? 0 : (double) shardMicros / micros;
    }

    /** How often it is in an hour. 0 where nobody knows how long it was. */
    double perHour(long times) {
        long millis = period.length().toMillis();
        return millis == 0 ? 0 : times * 3_600_000.0 / millis;
    }

    /**
     * What it is about.
     *
     * @param first when the first of what was counted came; null if there is none with a time
     * @param since from which day on shapes are new; null if that was not asked
     * @param today the present day, in UTC
     */
    public record Period(
            @Nullable Instant first,
            @Nullable Instant last,
            @Nullable LocalDate since,
            LocalDate today) {
        /** As {@link #length}; a long holds more of them than it does nanoseconds, and one wrong time makes centuries. */
        long micros() {
            return TimeUnit.MICROSECONDS.convert(length());
        }

        /** From the first to the last; 0 where nobody knows. */
        public Duration length() {
            return first == null || last == null ? Duration.ZERO : Duration.between(first, last);
        }
    }

    /**
     * What was read.
     *
     * @param records records of commands, and of counts, that are within what was asked for
     * @param outside those that are not
     * @param elsewhere how many of those are of the days that were asked for
     * @param lost how many records gaps stand for, on the days that were asked for
     * @param gaps how many gaps
     */
    public record Read(long records, long outside, long elsewhere, long lost, long gaps) {
        /** Which part of the records of these days is lost, from 0 to 1. */
        public double lostShare() {
            long all = records + elsewhere + lost;
            return all == 0 ? 0 : (double) lost / all;
        }
    }

    /**
     * @param commands all that is recorded, counted findings among them
     * @param sums of all findings and exempted commands
     * @param uncostedMicros the server's time for findings of which nobody recorded how many shards they reach: not in the cost
     * @param consequences what was refused or logged because of something else, by its reason
     */
    public record Totals(long commands, Sums sums, long uncostedMicros, Map<String, Long> consequences) {
        public Totals {
            consequences = new TreeMap<>(consequences);
        }
    }

    /**
     * @param top the costliest
     * @param all how many there are
     * @param beyond findings that are counted under no shape
     * @param fresh the costliest of those that are new
     * @param allFresh how many are new
     */
    public record Shapes(List<Finding> top, int all, long beyond, List<Finding> fresh, int allFresh) {
        public Shapes {
            top = List.copyOf(top);
            fresh = List.copyOf(fresh);
        }
    }

    /** The same findings, by what they have in common. */
    public record Parts(Ranking apps, Ranking users, Ranking owners, Ranking collections, Ranking rules) {}

    /**
     * A day, in UTC.
     *
     * @param day null for what has no time that can be read, and for days beyond the first thousand
     * @param lost records that gaps of this day stand for
     */
    public record Day(@Nullable LocalDate day, long commands, Sums sums, long lost) {}

    /**
     * @param all those in use and those of the configuration; what ends first comes first
     * @param unnamed commands that were only counted, and nobody knows which exemption let them pass
     * @param known whether a configuration was given
     */
    public record Exemptions(List<Exemption> all, long unnamed, boolean known) {
        public Exemptions {
            all = List.copyOf(all);
        }
    }

    /**
     * @param state null where the configuration does not name it, or none was given
     * @param times how many commands it let pass
     * @param counted how many of them have no record, and are of shapes that no other exemption lets pass
     */
    public record Exemption(
            String id,
            @Nullable ExemptionState state,
            @Nullable LocalDate until,
            @Nullable String owner,
            long times,
            long counted,
            long shardMicros,
            @Nullable Instant last) {}

    /**
     * A proxy.
     *
     * @param lost how many records its gaps stand for
     * @param missing how many numbers between the first and the last of a process are neither a record nor in a gap
     * @param repeated how many numbers came twice
     */
    public record Source(
            String cluster, String instance, long records, long gaps, long lost, long missing, long repeated) {}
}
