package io.scatterguard.proxy.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the fields of one JSON object; a null is left out, a string from outside has a bound. */
record JsonFields(JsonGenerator json) {
    /** Names, addresses and the like: longer ones are cut. */
    static final int MAX_TEXT_CHARS = 256;

    @FunctionalInterface
    interface Body {
        void write() throws IOException;
    }

    void text(String name, @Nullable String value) throws IOException {
        text(name, value, MAX_TEXT_CHARS);
    }

    void text(String name, @Nullable String value, int maxChars) throws IOException {
        if (value != null) {
            json.writeStringField(name, cut(value, maxChars));
        }
    }

    void number(String name, @Nullable Number value) throws IOException {
        if (value != null) {
            json.writeNumberField(name, value.longValue());
        }
    }

    void bool(String name, @Nullable Boolean value) throws IOException {
        if (value != null) {
            json.writeBooleanField(name, value);
        }
    }

    void object(String name, Body body) throws IOException {
        json.writeObjectFieldStart(name);
        body.write();
        json.writeEndObject();
    }

    void texts(String name, List<String> values, int maxValues) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values.subList(0, Math.min(values.size(), maxValues))) {
            json.writeString(cut(value, MAX_TEXT_CHARS));
        }
        json.writeEndArray();
    }

    /** {@code value}, or its beginning and an ellipsis: {@code maxChars} characters at most. */
    static String cut(String value, int maxChars) {
        return value.length() <= maxChars ? value : value.substring(0, maxChars - 1) + ShapeText.ELLIPSIS;
    }
}
