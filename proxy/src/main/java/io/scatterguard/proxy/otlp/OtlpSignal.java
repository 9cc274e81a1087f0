package io.scatterguard.proxy.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** What can be exported, and the names of its envelope. */
public enum OtlpSignal {
    LOGS("resourceLogs", "scopeLogs", "logRecords"),
    SPANS("resourceSpans", "scopeSpans", "spans"),
    METRICS("resourceMetrics", "scopeMetrics", "metrics");

    private static final JsonFactory FACTORY = new JsonFactory();

    private final String resources;
    private final String scopes;
    private final String items;

    OtlpSignal(String resources, String scopes, String items) {
        this.resources = resources;
        this.scopes = scopes;
        this.items = items;
    }

    /** Writes the objects of a request, one after another. */
    @FunctionalInterface
    public interface Items {
        void write(JsonGenerator json) throws IOException;
    }

    /**
     * The body of a request.
     *
     * @param target whose {@code service.name} and {@code service.instance.id} the resource has
     * @param scope the name of the part of the proxy that says it
     * @param expectedBytes how long it will be, roughly
     */
    public byte[] request(OtlpTarget target, String scope, int expectedBytes, Items body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(expectedBytes);
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            json.writeArrayFieldStart(resources);
            json.writeStartObject();
            json.writeObjectFieldStart("resource");
            json.writeArrayFieldStart("attributes");
            OtlpFields fields = new OtlpFields(json);
            fields.attribute("service.name", target.serviceName());
            fields.attribute("service.instance.id", target.instance());
            json.writeEndArray();
            json.writeEndObject();
            json.writeArrayFieldStart(scopes);
            json.writeStartObject();
            json.writeObjectFieldStart("scope");
            json.writeStringField("name", scope);
            json.writeEndObject();
            json.writeArrayFieldStart(items);
            body.write(json);
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        }
        return out.toByteArray();
    }
}
