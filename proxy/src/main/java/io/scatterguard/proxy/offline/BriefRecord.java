package io.scatterguard.proxy.offline;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.AuditEvent;
import io.scatterguard.proxy.audit.QueryShape;
import io.scatterguard.proxy.audit.RecordMaker;
import io.scatterguard.proxy.logs.LoggedCommand;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Of an audit record the fields that are added up; each as the whole record has it (docs/audit-log.md). */
final class BriefRecord {
    private BriefRecord() {}

    /** {@code command} is borrowed. */
    static ObjectNode of(CommandView command, Route route, Verdict verdict, LoggedCommand logged) {
        AuditEvent.Subject subject = RecordMaker.subject(command, route);
        ObjectNode record = JsonNodeFactory.instance.objectNode();
        Instant at = logged.at();
        text(record, "ts", at == null ? null : at.toString());
        ObjectNode client = record.putObject("client");
        text(client, "app", logged.client().appName());
        text(client, "driver", logged.client().driver());
        text(record, "comment", subject.comment());
        QueryShape shape = subject.shape();
        if (shape != null) {
            record.putObject("shape").put("hash", shape.hash());
        }
        if (route.kind() != Route.Kind.NOT_ROUTED && route.isPlaced()) {
            record.putObject("route").put("shardCount", route.shards().size());
        }
        ObjectNode judged = record.putObject("verdict");
        judged.put("action", verdict.action().text());
        judged.put("wouldRefuse", verdict.wouldRefuse());
        text(judged, "exemption", verdict.exemption());
        judged.put("reason", verdict.reason());
        record.putObject("micros").put("server", logged.serverMicros());
        return record;
    }

    private static void text(ObjectNode node, String name, @Nullable String value) {
        if (value != null) {
            node.put(name, value);
        }
    }
}
