package io.scatterguard.proxy.reports;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Findings as one JSON document; docs/findings.md describes every field. */
public final class JsonReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonReport() {}

    /** The document, with a line feed. */
    public static String of(Findings findings) {
        ObjectNode report = JSON.createObjectNode();
        report.put("version", 1);
        totals(report.putObject("totals"), findings);
        ArrayNode all = report.putArray("findings");
        findings.all().forEach(finding -> write(all.addObject(), finding));
        return JsonText.of(report);
    }

    static void totals(ObjectNode totals, Findings findings) {
        totals.put("new", findings.fresh().size());
        totals.put("known", findings.all().size() - findings.fresh().size());
        totals.put("commands", findings.totals().commands());
        totals.put("exempted", findings.totals().exempted());
        totals.put("notListed", findings.totals().beyond());
    }

    /** The members of a finding. */
    public static void write(ObjectNode node, Finding finding) {
        node.put("id", finding.id());
        node.put("known", finding.known());
        node.put("kind", finding.kind().text());
        node.put("namespace", finding.subject().namespace());
        node.put("command", finding.subject().command());
        node.put("shape", finding.subject().shape());
        Finding.KeyUse key = finding.key();
        if (key != null) {
            node.put("shardKey", key.pattern());
            ArrayNode fields = node.putArray("keyFields");
            for (Finding.KeyField field : key.fields()) {
                ObjectNode one = fields.addObject().put("field", field.name());
                text(one, "by", field.by());
            }
            key.firstMissing().ifPresent(field -> node.put("firstMissing", field));
        }
        ObjectNode shards = node.putObject("shards");
        number(shards, "count", finding.reach().shards());
        number(shards, "total", finding.reach().total());
        shards.put("exact", finding.reach().exact());
        cause(node, finding.cause());
        DriverHint.of(finding).ifPresent(hint -> node.put("hint", hint));
        seen(node.putObject("seen"), finding.seen());
        ObjectNode clients = node.putObject("clients");
        texts(clients, "apps", finding.clients().apps());
        texts(clients, "drivers", finding.clients().drivers());
        texts(clients, "tests", finding.clients().tests());
        texts(clients, "routes", finding.clients().routes());
        node.put("owner", finding.owner());
        FindingText.accept(finding).ifPresent(command -> node.put("accept", command));
        node.put("documentation", KindHelp.documentation(finding.kind()));
    }

    private static void cause(ObjectNode node, Finding.Cause cause) {
        node.put("why", cause.why());
        text(node, "fix", cause.fix().isEmpty() ? null : cause.fix());
        text(node, "fixFilter", cause.fixFilter().isEmpty() ? null : cause.fixFilter());
        texts(node, "notes", cause.notes());
        text(node, "rule", cause.rule());
        text(node, "ruleReason", cause.ruleReason());
    }

    private static void seen(ObjectNode node, Finding.Seen seen) {
        node.put("times", seen.times());
        node.put("refused", seen.refused());
        node.put("serverMicros", seen.serverMicros());
        node.put("shardMicros", seen.shardMicros());
        text(node, "first", text(seen.first()));
        text(node, "last", text(seen.last()));
    }

    private static @Nullable String text(@Nullable Instant at) {
        return at == null ? null : at.toString();
    }

    private static void text(ObjectNode node, String field, @Nullable String value) {
        if (value != null) {
            node.put(field, value);
        }
    }

    private static void number(ObjectNode node, String field, int value) {
        if (value >= 0) {
            node.put(field, value);
        }
    }

    private static void texts(ObjectNode node, String field, List<String> values) {
        ArrayNode array = node.putArray(field);
        values.forEach(array::add);
    }
}
