package io.scatterguard.proxy.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.json.JsonParseException;

/**
 * Reads BSON out of YAML: mappings, lists and single values as they are in JSON, and what JSON does not have in Extended
 * JSON, {@code {$oid: 65a1…}} or {@code {$minKey: 1}}.
 */
final class BsonNode {
    private static final JsonFactory JSON = new JsonFactory();

    private BsonNode() {}

    /** @throws IllegalArgumentException if something in it is no Extended JSON; the message says where, and repeats no value */
    static BsonDocument document(ConfigNode.Mapping node) {
        try {
            return parsed(node);
        } catch (IllegalArgumentException | BSONException | JsonParseException e) {
            throw new IllegalArgumentException(new Fault(node).message());
        }
    }

    private static BsonDocument parsed(ConfigNode.Mapping node) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            write(node, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return BsonDocument.parse(text.toString());
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
            case NUMBER -> json.writeNumber(number(scalar.text()));
        }
    }

    /** YAML takes {@code 012} for ten in one version and for twelve in another, so it is neither. */
    private static String number(String text) {
        String digits = text.startsWith("-") ? text.substring(1) : text;
        if (digits.length() > 1 && digits.charAt(0) == '0' && Character.isDigit(digits.charAt(1))) {
            throw new IllegalArgumentException("a number that begins with 0");
        }
        return text;
    }

    /** The innermost part of a document that is no Extended JSON by itself. */
    private static final class Fault {
        private String path = "";
        private String problem = "not Extended JSON";

        Fault(ConfigNode.Mapping document) {
            look(document, "");
        }

        /** Whether {@code node} or something in it is at fault, which then is kept. */
        private boolean look(ConfigNode node, String at) {
            if (node instanceof ConfigNode.Mapping mapping) {
                for (Map.Entry<String, ConfigNode> entry : mapping.entries().entrySet()) {
                    if (look(entry.getValue(), at.isEmpty() ? entry.getKey() : at + "." + entry.getKey())) {
                        return true;
                    }
                }
                return isFaulty(mapping, at);
            } else if (node instanceof ConfigNode.Sequence sequence) {
                for (int i = 0; i < sequence.elements().size(); i++) {
                    if (look(sequence.elements().get(i), at + "[" + i + "]")) {
                        return true;
                    }
                }
                return false;
            }
            return node instanceof ConfigNode.Scalar scalar
                    && scalar.type() == ConfigNode.Scalar.Type.NUMBER
                    && isNoNumber(scalar, at);
        }

        private boolean isNoNumber(ConfigNode.Scalar scalar, String at) {
            if (isValue(scalar)) {
                return false;
            }
            path = at;
            problem = "not a number as JSON writes one (a text needs quotes, others are like {$numberDouble: \"NaN\"})";
            return true;
        }

        private boolean isFaulty(ConfigNode.Mapping mapping, String at) {
            String first = mapping.entries().isEmpty()
                    ? ""
                    : mapping.entries().keySet().iterator().next();
            if (!first.startsWith("$") || isValue(mapping)) {
                return false;
            }
            path = at;
            problem = "no " + Quoting.quoted(first) + " of Extended JSON";
            return true;
        }

        private static boolean isValue(ConfigNode node) {
            try {
                parsed(new ConfigNode.Mapping(node.line(), Map.of("v", node)));
                return true;
            } catch (IllegalArgumentException | BSONException | JsonParseException e) {
                return false;
            }
        }

        String message() {
            return path.isEmpty() ? problem : path + ": " + problem;
        }
    }
}
