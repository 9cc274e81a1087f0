package io.scatterguard.proxy.summary;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.scatterguard.proxy.reports.Finding;
import io.scatterguard.proxy.reports.JsonReport;
import io.scatterguard.proxy.reports.VisibleText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A summary as one JSON document; docs/report.md describes every field. */
public final class SummaryJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Summary summary;

    private SummaryJson(Summary summary) {
        this.summary = summary;
    }

    /** The document, with a line feed. */
    public static String of(Summary summary) {
        // What would not show becomes an escape, which JSON has too.
        return VisibleText.ofLines(new SummaryJson(summary).document().toPrettyString() + "\n");
    }

    private ObjectNode document() {
        ObjectNode report = JSON.createObjectNode();
        report.put("version", 1);
        period(report.putObject("period"));
        Summary.Read read = summary.read();
        report.putObject("read")
                .put("records", read.records())
                .put("outside", read.outside())
                .put("lost", read.lost())
                .put("gaps", read.gaps())
                .put("lostShare", read.lostShare());
        totals(report.putObject("totals"));
        shapes(report.putObject("shapes"));
        Summary.Parts parts = summary.parts();
        ranking(report.putObject("apps"), parts.apps());
        ranking(report.putObject("users"), parts.users());
        ranking(report.putObject("owners"), parts.owners());
        ranking(report.putObject("collections"), parts.collections());
        ranking(report.putObject("rules"), parts.rules());
        days(report.putArray("days"));
        exemptions(report.putObject("exemptions"));
        sources(report.putArray("sources"));
        return report;
    }

    private void period(ObjectNode node) {
        Summary.Period period = summary.period();
        text(node, "first", period.first());
        text(node, "last", period.last());
        node.put("seconds", period.length().toSeconds());
        text(node, "since", period.since());
    }

    private void totals(ObjectNode node) {
        Summary.Totals totals = summary.totals();
        node.put("commands", totals.commands());
        sums(node, totals.sums());
        node.put("uncostedMicros", totals.uncostedMicros());
        node.put("busyShards", summary.busyShards(totals.sums().shardMicros()));
        ArrayNode consequences = node.putArray("consequences");
        totals.consequences()
                .forEach((reason, times) ->
                        consequences.addObject().put("reason", reason).put("times", times));
    }

    private void shapes(ObjectNode node) {
        Summary.Shapes shapes = summary.shapes();
        node.put("all", shapes.all());
        node.put("notListed", shapes.beyond());
        findings(node.putArray("top"), shapes.top());
        if (summary.period().since() != null) {
            node.put("allNew", shapes.allFresh());
            findings(node.putArray("new"), shapes.fresh());
        }
    }

    private void findings(ArrayNode array, List<Finding> findings) {
        for (Finding finding : findings) {
            ObjectNode node = array.addObject();
            JsonReport.write(node, finding);
            node.remove("known"); // of a baseline, which nobody has asked for here
            long cost = finding.seen().shardMicros();
            node.put("share", Figures.share(cost, summary.totals().sums().shardMicros()));
            node.put("perHour", summary.perHour(finding.seen().times()));
            node.put("busyShards", summary.busyShards(cost));
        }
    }

    private static void ranking(ObjectNode node, Ranking ranking) {
        ArrayNode rows = node.putArray("top");
        for (Ranking.Row row : ranking.rows()) {
            sums(rows.addObject().put("name", row.name()), row.sums());
        }
        sums(node.putObject("other").put("names", ranking.otherNames()), ranking.other());
        sums(node.putObject("unnamed"), ranking.unnamed());
    }

    private static void sums(ObjectNode node, Sums sums) {
        node.put("findings", sums.findings());
        node.put("refused", sums.refused());
        node.put("wouldRefuse", sums.wouldRefuse());
        node.put("exempted", sums.exempted());
        node.put("serverMicros", sums.serverMicros());
        node.put("shardMicros", sums.shardMicros());
    }

    private void days(ArrayNode array) {
        for (Summary.Day day : summary.days()) {
            ObjectNode node = array.addObject();
            text(node, "day", day.day());
            node.put("commands", day.commands());
            sums(node, day.sums());
            node.put("lost", day.lost());
        }
    }

    private void exemptions(ObjectNode node) {
        Summary.Exemptions exemptions = summary.exemptions();
        node.put("configured", exemptions.known());
        node.put("unnamed", exemptions.unnamed());
        ArrayNode all = node.putArray("all");
        for (Summary.Exemption exemption : exemptions.all()) {
            ObjectNode one = all.addObject().put("id", exemption.id());
            text(
                    one,
                    "state",
                    exemption.state() == null ? null : exemption.state().text());
            text(one, "until", exemption.until());
            text(one, "owner", exemption.owner());
            one.put("times", exemption.times());
            one.put("counted", exemption.counted());
            one.put("shardMicros", exemption.shardMicros());
            text(one, "last", exemption.last());
        }
    }

    private void sources(ArrayNode array) {
        for (Summary.Source source : summary.sources()) {
            array.addObject()
                    .put("cluster", source.cluster())
                    .put("instance", source.instance())
                    .put("records", source.records())
                    .put("gaps", source.gaps())
                    .put("lost", source.lost())
                    .put("missing", source.missing())
                    .put("repeated", source.repeated());
        }
    }

    private static void text(ObjectNode node, String field, @Nullable Object value) {
        if (value != null) {
            node.put(field, value.toString());
        }
    }
}
