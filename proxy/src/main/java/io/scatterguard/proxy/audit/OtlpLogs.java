package io.scatterguard.proxy.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
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

    private final JsonFactory factory = new JsonFactory();
    private final String serviceName;
    private final String instance;

    /** {@code serviceName} and {@code instance} name the process that writes the records. */
    OtlpLogs(String serviceName, String instance) {
        this.serviceName = serviceName;
        this.instance = instance;
    }

    /** The body of a request for {@code lines}, made {@code now}. */
    byte[] request(List<byte[]> lines, Instant now) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(lines.size() * 1_500);
        try (JsonGenerator json = factory.createGenerator(out)) {
            json.writeStartObject();
            json.writeArrayFieldStart("resourceLogs");
            json.writeStartObject();
            json.writeObjectFieldStart("resource");
            json.writeArrayFieldStart("attributes");
            attribute(json, "service.name", serviceName);
            attribute(json, "service.instance.id", instance);
            json.writeEndArray();
            json.writeEndObject();
            json.writeArrayFieldStart("scopeLogs");
            json.writeStartObject();
            json.writeObjectFieldStart("scope");
            json.writeStringField("name", "scatterguard.audit");
            json.writeEndObject();
            json.writeArrayFieldStart("logRecords");
            for (byte[] line : lines) {
                record(json, new String(line, StandardCharsets.UTF_8).stripTrailing(), now);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    private static void attribute(JsonGenerator json, String key, String value) throws IOException {
        json.writeStartObject();
        json.writeStringField("key", key);
        json.writeObjectFieldStart("value");
        json.writeStringField("stringValue", value);
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void record(JsonGenerator json, String line, Instant now) throws IOException {
        boolean gap = line.startsWith(GAP);
        json.writeStartObject();
        json.writeStringField("timeUnixNano", nanos(time(line, now)));
        json.writeStringField("observedTimeUnixNano", nanos(now));
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

    private static String nanos(Instant at) {
        return at.getEpochSecond() + String.format("%09d", at.getNano());
    }
}
