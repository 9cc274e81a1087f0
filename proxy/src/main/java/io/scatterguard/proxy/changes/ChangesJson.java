package io.scatterguard.proxy.changes;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.scatterguard.proxy.reports.JsonText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Changes as one JSON document; docs/rehearsal.md describes every field. */
public final class ChangesJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ChangesJson() {}

    /** The document, with a line feed. */
    public static String of(Changes changes) {
        ObjectNode report = JSON.createObjectNode();
        report.put("version", 1);
        report.put("before", changes.before());
        report.put("after", changes.after());
        Changes.Totals totals = changes.totals();
        report.putObject("totals")
                .put("commands", totals.commands())
                .put("changed", totals.changed())
                .put("unchanged", totals.unchanged())
                .put("unchangedShapes", totals.unchangedShapes())
                .put("worse", changes.worse())
                .put("new", changes.fresh())
                .put("notListed", totals.beyond());
        ArrayNode rows = report.putArray("changes");
        changes.rows().forEach(row -> write(rows.addObject(), row));
        return JsonText.of(report);
    }

    private static void write(ObjectNode node, Changes.Row row) {
        node.put("id", row.subject().id());
        node.put("known", row.known());
        node.put("change", row.change().text());
        node.put("worse", row.change().isWorse());
        node.put("namespace", row.subject().namespace());
        node.put("command", row.subject().command());
        node.put("shape", row.subject().shape());
        fate(node.putObject("before"), row.before());
        fate(node.putObject("after"), row.after());
        node.put("why", row.advice().why());
        text(node, "fix", row.advice().fix().isEmpty() ? null : row.advice().fix());
        Changes.Seen seen = row.seen();
        ObjectNode counts = node.putObject("seen");
        counts.put("times", seen.times())
                .put("serverMicros", seen.serverMicros())
                .put("shardMicrosBefore", seen.shardMicrosBefore())
                .put("shardMicrosAfter", seen.shardMicrosAfter());
        text(counts, "first", text(seen.first()));
        text(counts, "last", text(seen.last()));
        node.put("owner", row.advice().owner());
    }

    private static void fate(ObjectNode node, Fate fate) {
        node.put("way", fate.way().text());
        text(node, "error", fate.error());
        if (fate.shards() >= 0) {
            node.put("shards", fate.shards());
        }
        if (fate.total() >= 0) {
            node.put("total", fate.total());
        }
        node.put("exact", fate.exact());
        node.put("verdict", fate.action().text());
    }

    private static @Nullable String text(@Nullable Instant at) {
        return at == null ? null : at.toString();
    }

    private static void text(ObjectNode node, String field, @Nullable String value) {
        if (value != null) {
            node.put(field, value);
        }
    }
}
