package io.scatterguard.proxy.tracing;

import com.fasterxml.jackson.core.JsonGenerator;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.audit.Outcome;
import io.scatterguard.proxy.audit.TraceParent;
import io.scatterguard.proxy.otlp.OtlpFields;
import io.scatterguard.proxy.otlp.OtlpSignal;
import io.scatterguard.proxy.otlp.OtlpTarget;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Shape;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes spans as an export request: client spans by the semantic conventions for MongoDB, with what the proxy says of the
 * command under {@code scatterguard.}; {@code docs/tracing.md} names every attribute.
 */
final class SpanJson {
    /** How many shards are named. */
    static final int MAX_SHARDS = 100;

    private static final int KIND_CLIENT = 3;
    private static final int STATUS_ERROR = 2;
    private static final int BYTES_A_SPAN = 1_500;

    private final OtlpTarget target;
    private final String cluster;

    SpanJson(OtlpTarget target, String cluster) {
        this.target = target;
        this.cluster = cluster;
    }

    byte[] request(List<EndedSpan> spans) throws IOException {
        return OtlpSignal.SPANS.request(target, "scatterguard.tracing", spans.size() * BYTES_A_SPAN, json -> {
            for (EndedSpan span : spans) {
                write(json, span);
            }
        });
    }

    private void write(JsonGenerator json, EndedSpan ended) throws IOException {
        PendingSpan span = ended.span();
        TraceParent parent = span.command().parent();
        OtlpFields fields = new OtlpFields(json);
        json.writeStartObject();
        json.writeStringField("traceId", parent.traceId());
        json.writeStringField("spanId", span.spanId());
        json.writeStringField("parentSpanId", parent.spanId());
        json.writeStringField("name", name(span));
        json.writeNumberField("kind", KIND_CLIENT);
        fields.time("startTimeUnixNano", ended.start());
        fields.time("endTimeUnixNano", ended.end());
        json.writeArrayFieldStart("attributes");
        command(fields, span);
        fields.attribute("scatterguard.cluster", cluster);
        target(fields, span.target());
        verdict(fields, span.verdict());
        fields.attribute("scatterguard.shape_hash", span.shapeHash());
        outcome(fields, ended);
        json.writeEndArray();
        if (ended.failed()) {
            json.writeObjectFieldStart("status");
            json.writeNumberField("code", STATUS_ERROR);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** {@code find shop.orders}; of a command without a collection {@code ping admin}. */
    private static String name(PendingSpan span) {
        Namespace namespace = span.command().namespace();
        String subject = namespace.collection().isEmpty() ? namespace.database() : namespace.fullName();
        return subject.isEmpty() ? span.command().name() : span.command().name() + " " + subject;
    }

    private static void command(OtlpFields fields, PendingSpan span) throws IOException {
        Namespace namespace = span.command().namespace();
        fields.attribute("db.system.name", "mongodb");
        fields.attribute("db.operation.name", span.command().name());
        fields.attribute("db.namespace", emptyToNull(namespace.database()));
        fields.attribute("db.collection.name", emptyToNull(namespace.collection()));
    }

    private static void target(OtlpFields fields, PendingSpan.@Nullable Target target) throws IOException {
        if (target == null) {
            return;
        }
        Shape shape = target.shape();
        fields.attribute("scatterguard.shape", shape == null ? null : shape.text());
        fields.attribute("scatterguard.certainty", target.certainty().text());
        if (target.placed()) {
            List<String> shards = target.registry().names(target.shards());
            fields.attribute("scatterguard.placement", target.placement().text());
            fields.attribute("scatterguard.shards", shards.subList(0, Math.min(shards.size(), MAX_SHARDS)));
            fields.attribute("scatterguard.shard_count", shards.size());
        }
    }

    private static void verdict(OtlpFields fields, Verdict verdict) throws IOException {
        fields.attribute("scatterguard.action", verdict.action().text());
        if (verdict.wouldRefuse()) {
            fields.attribute("scatterguard.would_refuse", true);
        }
        fields.attribute("scatterguard.rule", verdict.rule());
        fields.attribute("scatterguard.exemption", verdict.exemption());
    }

    private static void outcome(OtlpFields fields, EndedSpan ended) throws IOException {
        Outcome outcome = ended.outcome();
        fields.attribute("scatterguard.proxy_micros", outcome.proxyMicros());
        fields.attribute("scatterguard.server_micros", outcome.serverMicros());
        if (ended.failed()) {
            String code = outcome.code() == null ? null : Integer.toString(outcome.code());
            fields.attribute("db.response.status_code", code);
            fields.attribute("error.type", code == null ? "_OTHER" : code);
        }
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
