package io.scatterguard.proxy.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.function.Function;

/** Writes values as a text of theirs. */
final class TextSerializer<T> extends StdSerializer<T> {
    private static final long serialVersionUID = 1L;

    private final transient Function<T, String> text;

    TextSerializer(Class<T> type, Function<T, String> text) {
        super(type);
        this.text = text;
    }

    @Override
    public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
        out.writeString(text.apply(value));
    }
}
