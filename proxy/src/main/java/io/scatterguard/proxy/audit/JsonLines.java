package io.scatterguard.proxy.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.proxy.policy.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Writes records as JSON Lines: one object a line, UTF-8, times in UTC, durations in microseconds, no nulls. */
final class JsonLines {
    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final JsonFactory factory = new JsonFactory();

    /** The line of a record, with its line feed. */
    byte[] event(AuditEvent event) {
        return line(fields -> {
            stamp(fields, event.stamp());
            source(fields, event.source());
            Literals literals = event.literals();
            subject(fields, said(event.subject(), literals), event.outcome().queryShapeHash());
            if (literals != null) {
                fields.object("body", () -> body(fields, literals.body()));
            }
            RecordedRoute route = event.route();
            if (route != null) {
                RouteFields.write(fields, route, tableAge(event));
            }
            fields.object("verdict", () -> verdict(fields, event.verdict()));
            outcome(fields, event.outcome());
        });
    }

    /** The line of findings that were only counted, with its line feed. */
    byte[] counts(AuditEvent.Stamp stamp, FindingCounts counts) {
        return line(fields -> {
            stamp(fields, stamp);
            AuditEvent.Subject what = counts.subject();
            if (what != null) {
                fields.object("client", () -> fields.text("app", counts.app()));
                subject(fields, new AuditEvent.Subject(what.namespace(), what.command(), null, what.shape()), null);
            }
            FindingCounts.Tally tally = counts.tally();
            fields.object("counts", () -> {
                fields.text("from", TIMESTAMP.format(tally.from()));
                fields.bool("other", what == null ? Boolean.TRUE : null);
                fields.number("findings", tally.findings());
                fields.number("wouldRefuse", tally.wouldRefuse());
                fields.number("exempted", tally.exempted());
                fields.number("serverMicros", tally.serverMicros());
            });
        });
    }

    /** The line that stands for records that were dropped, with its line feed. */
    byte[] gap(Gap gap, Instant at, AuditSettings settings) {
        return line(fields -> {
            fields.object("gap", () -> {
                fields.number("from", gap.from());
                fields.number("to", gap.to());
                fields.number("count", gap.count());
            });
            fields.text("ts", TIMESTAMP.format(at));
            fields.text("cluster", settings.cluster());
            fields.text("instance", settings.instance());
        });
    }

    @FunctionalInterface
    private interface LineBody {
        void write(JsonFields fields) throws IOException;
    }

    private byte[] line(LineBody body) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(1_024);
        try (JsonGenerator json = factory.createGenerator(line)) {
            json.writeStartObject();
            body.write(new JsonFields(json));
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        line.write('\n');
        return line.toByteArray();
    }

    private static void stamp(JsonFields fields, AuditEvent.Stamp stamp) throws IOException {
        fields.number("seq", stamp.seq());
        fields.text("ts", TIMESTAMP.format(stamp.at()));
        fields.text("cluster", stamp.cluster());
        fields.text("instance", stamp.instance());
    }

    private static void source(JsonFields fields, AuditSource source) throws IOException {
        ClientInfo client = source.client();
        fields.text("listener", source.listener());
        fields.number("session", source.sessionId());
        fields.object("client", () -> {
            fields.text("address", client.address());
            fields.text("app", client.appName());
            fields.text("driver", client.driver());
            fields.text("os", client.os());
        });
        fields.text("user", client.user());
        fields.text("owner", source.owner());
    }

    /** In milliseconds; null where no table was used. */
    private static @Nullable Long tableAge(AuditEvent event) {
        long confirmed = event.source().tableMillis();
        return confirmed == 0 ? null : Math.max(0, event.stamp().at().toEpochMilli() - confirmed);
    }

    private static AuditEvent.Subject said(AuditEvent.Subject subject, @Nullable Literals literals) {
        return literals == null || literals.comment() == null
                ? subject
                : new AuditEvent.Subject(subject.namespace(), subject.command(), literals.comment(), subject.shape());
    }

    private static void body(JsonFields fields, CutJson.Text body) throws IOException {
        fields.text("text", body.json(), Literals.MAX_BODY_CHARS);
        fields.bool("cut", body.cut() ? Boolean.TRUE : null);
    }

    private static void subject(JsonFields fields, AuditEvent.Subject subject, @Nullable String serverHash)
            throws IOException {
        fields.text("db", emptyToNull(subject.namespace().database()));
        fields.text("coll", emptyToNull(subject.namespace().collection()));
        fields.text("command", subject.command());
        fields.text("comment", subject.comment(), CommentParts.MAX_COMMENT_BYTES);
        QueryShape shape = subject.shape();
        if (shape != null) {
            fields.object("shape", () -> {
                fields.text("text", shape.text(), QueryShape.MAX_TEXT_CHARS);
                fields.text("hash", shape.hash());
                fields.text("queryShapeHash", serverHash);
            });
        }
    }

    private static void verdict(JsonFields fields, Verdict verdict) throws IOException {
        fields.text("action", verdict.action().text());
        fields.bool("wouldRefuse", verdict.wouldRefuse());
        fields.text("rule", verdict.rule());
        fields.text("owner", verdict.rationale().owner());
        fields.text("ruleReason", verdict.rationale().reason());
        fields.text("exemption", verdict.exemption());
        fields.text("reason", verdict.reason());
        fields.number("policyVersion", verdict.policyVersion());
        Verdict explained = verdict.explained();
        if (explained != null) {
            fields.object("explained", () -> {
                fields.text("action", explained.action().text());
                fields.bool("wouldRefuse", explained.wouldRefuse());
                fields.text("rule", explained.rule());
                fields.text("exemption", explained.exemption());
                fields.text("reason", explained.reason());
            });
        }
    }

    private static void outcome(JsonFields fields, Outcome outcome) throws IOException {
        if (outcome.ok() != null || outcome.code() != null || outcome.nReturned() != null) {
            fields.object("status", () -> {
                fields.bool("ok", outcome.ok());
                fields.number("code", outcome.code());
                fields.number("nReturned", outcome.nReturned());
            });
        }
        fields.object("micros", () -> {
            fields.number("proxy", outcome.proxyMicros());
            fields.number("server", outcome.serverMicros());
        });
        fields.object("bytes", () -> {
            fields.number("request", outcome.requestBytes());
            fields.number("reply", outcome.replyBytes());
        });
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
