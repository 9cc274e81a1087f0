package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.reports.Finding;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a summary says in words: the same for a terminal and for a page. Names in it are as they came. */
final class SummaryWords {
    static final String UNNAMED = "(not recorded)";

    private static final String NONE = "–";

    private SummaryWords() {}

    /** Period, records, findings, cost: a sentence each. */
    static List<String> head(Summary summary) {
        Summary.Period period = summary.period();
        Summary.Read read = summary.read();
        Sums sums = summary.totals().sums();
        List<String> lines = new ArrayList<>();
        lines.add(
                period.first() == null
                        ? "Audit of a time that is not recorded"
                        : "Audit from " + text(period.first()) + " to " + text(period.last()) + " UTC ("
                                + length(period.length()) + ")");
        lines.add(Figures.count(read.records()) + " records of "
                + Figures.count(summary.totals().commands()) + " commands"
                + (read.outside() == 0
                        ? ""
                        : "; " + Figures.count(read.outside()) + " are outside what was asked for"));
        lines.add(
                read.lost() == 0
                        ? "Nothing is lost in gaps"
                        : Figures.count(read.lost()) + " records are lost in " + Figures.count(read.gaps()) + " gaps, "
                                + Figures.percent(read.lostShare()) + " of all: the figures below are without them");
        lines.add(Figures.count(sums.findings()) + " findings of "
                + Figures.count(summary.shapes().all())
                + " shapes: " + Figures.count(sums.refused()) + " refused, " + Figures.count(sums.logged())
                + " forwarded and logged (" + Figures.count(sums.wouldRefuse()) + " of them would be refused); "
                + Figures.count(sums.exempted()) + " commands exempted");
        lines.add("Cost: " + Figures.time(sums.shardMicros()) + " of shards, which keeps "
                + Figures.decimal(summary.busyShards(sums.shardMicros())) + " shards busy on average");
        return lines;
    }

    /** What makes figures smaller or larger than they should be. */
    static List<String> warnings(Summary summary) {
        List<String> lines = new ArrayList<>();
        summary.totals()
                .consequences()
                .forEach((reason, times) -> lines.add("Not among the findings: " + Figures.count(times)
                        + " refused or logged because of something else (" + reason + ")"));
        if (summary.totals().uncostedMicros() > 0) {
            lines.add("Not in the cost: " + Figures.time(summary.totals().uncostedMicros())
                    + " of servers, for findings of which nobody recorded how many shards they reach");
        }
        if (summary.shapes().beyond() > 0) {
            lines.add("Under no shape: " + Figures.count(summary.shapes().beyond()) + " findings");
        }
        for (Summary.Source source : summary.sources()) {
            if (source.missing() > 0) {
                lines.add(
                        name(source) + ": " + Figures.count(source.missing())
                                + " records are missing without a gap (lines that cannot be read, or a file that was not given)");
            }
            if (source.repeated() > 0) {
                lines.add(name(source) + ": " + Figures.count(source.repeated())
                        + " numbers came twice, and are counted twice (a log given twice, or two proxies of one name)");
            }
        }
        return lines;
    }

    private static String text(@Nullable Instant at) {
        return at == null
                ? NONE
                : at.truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                        .replace("T", " ")
                        .replace("Z", "");
    }

    private static String length(Duration length) {
        double hours = length.toSeconds() / 3600.0;
        return hours < 48
                ? String.format(Locale.ROOT, "%.1f hours", hours)
                : String.format(Locale.ROOT, "%.1f days", hours / 24);
    }

    /** What a shape costs and why: how often, how many shards, how long. */
    static String cost(Summary summary, Finding finding) {
        Finding.Seen seen = finding.seen();
        int shards = finding.reach().shards();
        String times = seen.times() == 1 ? "once" : Figures.count(seen.times()) + " times";
        return times + " (" + Figures.decimal(summary.perHour(seen.times())) + " an hour"
                + (seen.refused() == 0 ? "" : "; " + Figures.count(seen.refused()) + " refused or to be refused")
                + "), "
                + (shards < 0
                        ? "shards not known"
                        : (finding.reach().exact() ? "" : "at most ") + shards + (shards == 1 ? " shard" : " shards"))
                + ", " + Figures.time(seen.serverMicros() / Math.max(1, seen.times())) + " each: "
                + Figures.time(seen.shardMicros()) + " of shards, "
                + Figures.percent(Figures.share(
                        seen.shardMicros(), summary.totals().sums().shardMicros()))
                + " of the cost";
    }

    static String other(Ranking ranking) {
        return ranking.otherNames() == 0 ? "(other)" : "(" + Figures.count(ranking.otherNames()) + " others)";
    }

    static String name(Summary.Source source) {
        return source.instance().isEmpty() ? "(others)" : source.cluster() + "/" + source.instance();
    }

    /** Name, findings, refused, would refuse, exempted, cost, share of it. */
    static List<String> cells(Summary summary, String name, Sums sums) {
        return List.of(
                name,
                Figures.count(sums.findings()),
                Figures.count(sums.refused()),
                Figures.count(sums.wouldRefuse()),
                Figures.count(sums.exempted()),
                Figures.time(sums.shardMicros()),
                Figures.percent(Figures.share(
                        sums.shardMicros(), summary.totals().sums().shardMicros())));
    }

    /** Id, state, last day, owner, times, when last, cost. */
    static List<String> cells(Summary.Exemption exemption, boolean configured) {
        String state = exemption.state() != null
                ? exemption.state().text() + (exemption.times() == 0 ? ", not used" : "")
                : configured ? "not in the configuration" : NONE;
        return List.of(
                exemption.id(),
                state,
                exemption.until() == null ? NONE : exemption.until().toString(),
                exemption.owner() == null ? NONE : exemption.owner(),
                Figures.count(exemption.times()),
                text(exemption.last()),
                Figures.time(exemption.shardMicros()));
    }
}
