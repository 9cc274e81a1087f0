package io.scatterguard.proxy.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import io.scatterguard.proxy.otlp.OtlpFields;
import io.scatterguard.proxy.otlp.OtlpSignal;
import io.scatterguard.proxy.otlp.OtlpTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/**
 * Records as an export request of the OpenTelemetry protocol, in its JSON encoding: each is a log record whose body is the
 * line as it stands in a file.
 */
final class OtlpLogs {
    private static final String TS = "\"ts\":\"";
    private static final String GAP = "{\"gap\":";
    private static final int INFO = 9;
    private static final int WARN = 13;

    private final OtlpTarget target;

    /** {@code target}: whose name and instance the records have. */
    OtlpLogs(OtlpTarget target) {
        this.target = target;
    }

    /** The body of a request for {@code lines}, made {@code now}. */
    byte[] request(List<byte[]> lines, Instant now) throws IOException {
        return OtlpSignal.LOGS.request(target, "scatterguard.audit", lines.size() * 1_500, json -> {
            for (byte[] line : lines) {
                record(json, new String(line, StandardCharsets.UTF_8).stripTrailing(), now);
            }
        });
    }

    private static void record(JsonGenerator json, String line, Instant now) throws IOException {
        boolean gap = line.startsWith(GAP);
        json.writeStartObject();
        OtlpFields fields = new OtlpFields(json);
        fields.time("timeUnixNano", time(line, now));
        fields.time("observedTimeUnixNano", now);
        json.writeNumberField("severityNumber", gap ? WARN : INFO);
        json.writeStringField("severityText", gap ? "WARN" : "INFO");
        json.writeObjectFieldStart("body");
        json.writeStringField("stringValue", line);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** The record's own time, which stands before anything that comes from outside. */
    private static Instant time(String line, Instant fallback) {
        int at = line.indexOf(TS);
        int end = at < 0 ? -1 : line.indexOf('"', at + TS.length());
        if (end < 0) {
            return fallback;
        }
        try {
            return Instant.parse(line.substring(at + TS.length(), end));
        } catch (DateTimeException e) {
            return fallback;
        }
    }
}
