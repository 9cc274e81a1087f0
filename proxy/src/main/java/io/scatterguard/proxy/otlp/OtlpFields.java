package io.scatterguard.proxy.otlp;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what the objects of all signals have: attributes and times. An attribute whose value is null is left out. */
public record OtlpFields(JsonGenerator json) {
    public void attribute(String key, @Nullable String value) throws IOException {
        if (value != null) {
            begin(key);
            json.writeStringField("stringValue", value);
            end();
        }
    }

    public void attribute(String key, boolean value) throws IOException {
        begin(key);
        json.writeBooleanField("boolValue", value);
        end();
    }

    /** A number of 64 bits is a string in this encoding. */
    public void attribute(String key, long value) throws IOException {
        begin(key);
        json.writeStringField("intValue", Long.toString(value));
        end();
    }

    public void attribute(String key, List<String> values) throws IOException {
        begin(key);
        json.writeObjectFieldStart("arrayValue");
        json.writeArrayFieldStart("values");
        for (String value : values) {
            json.writeStartObject();
            json.writeStringField("stringValue", value);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        end();
    }

    private void begin(String key) throws IOException {
        json.writeStartObject();
        json.writeStringField("key", key);
        json.writeObjectFieldStart("value");
    }

    private void end() throws IOException {
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Nanoseconds since 1970. */
    public void time(String name, Instant at) throws IOException {
        json.writeStringField(name, at.getEpochSecond() + String.format("%09d", at.getNano()));
    }
}
