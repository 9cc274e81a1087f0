package io.scatterguard.proxy.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInvalidOperationException;
import org.bson.json.JsonParseException;

/**
 * Reads BSON out of YAML: mappings, lists and single values as they are in JSON, and what JSON does not have in Extended
 * JSON, {@code {$oid: 65a1…}} or {@code {$minKey: 1}}.
 */
final class BsonNode {
    private static final JsonFactory JSON = new JsonFactory();

    private BsonNode() {}

    /** @throws IllegalArgumentException if something in it is no Extended JSON; the message says what */
    static BsonDocument document(ConfigNode.Mapping node) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            write(node, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            return BsonDocument.parse(text.toString());
        } catch (JsonParseException | BsonInvalidOperationException | NumberFormatException e) {
            throw new IllegalArgumentException("not Extended JSON: " + e.getMessage());
        }
    }

    private static void write(ConfigNode node, JsonGenerator json) throws IOException {
        if (node instanceof ConfigNode.Mapping mapping) {
            json.writeStartObject();
            for (Map.Entry<String, ConfigNode> entry : mapping.entries().entrySet()) {
                json.writeFieldName(entry.getKey());
                write(entry.getValue(), json);
            }
            json.writeEndObject();
        } else if (node instanceof ConfigNode.Sequence sequence) {
            json.writeStartArray();
            for (ConfigNode element : sequence.elements()) {
                write(element, json);
            }
            json.writeEndArray();
        } else if (node instanceof ConfigNode.Scalar scalar) {
            write(scalar, json);
        } else {
            json.writeNull();
        }
    }

    private static void write(ConfigNode.Scalar scalar, JsonGenerator json) throws IOException {
        switch (scalar.type()) {
            case TEXT -> json.writeString(scalar.text());
            case BOOLEAN -> json.writeBoolean(Boolean.parseBoolean(scalar.text()));
            case NUMBER -> json.writeNumber(scalar.text());
        }
    }
}
