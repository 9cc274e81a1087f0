package io.scatterguard.proxy.config;

import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonRegularExpression;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * Writes BSON as YAML on one line, so that {@link BsonNode} reads the same values of the same types: plain where YAML and
 * JSON keep the type, else in Extended JSON. Not thread-safe.
 */
final class FlowText {
    /** The longest name that YAML lets stand before a colon without a mark of its own, less what quoting adds. */
    private static final int LONGEST_SIMPLE_KEY = 1_000;

    /** The times that Extended JSON writes as text: up to the year 9999. */
    private static final long LAST_READABLE_MILLIS =
            Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    /** What YAML takes for something else than a text. */
    private static final Set<String> RESERVED = Set.of("null", "true", "false", "yes", "no", "on", "off", "y", "n");

    private final StringBuilder text = new StringBuilder();

    /** {@code value} on one line. */
    static String of(BsonValue value) {
        return new FlowText().value(value).text.toString();
    }

    /** A text of the file, in which a dollar sign before a brace stands for itself; quoted only where YAML needs it. */
    static String ofText(String value) {
        String escaped = value.replace("${", "$${");
        return isPlain(escaped) ? escaped : new FlowText().quoted(escaped).text.toString();
    }

    private FlowText value(BsonValue value) {
        switch (value.getBsonType()) {
            case DOCUMENT -> document(value.asDocument());
            case ARRAY -> array(value.asArray());
            case STRING -> quoted(value.asString().getValue());
            case INT32 -> text.append(value.asInt32().getValue());
            case INT64 -> int64(value.asInt64().getValue());
            case DOUBLE -> number(value.asDouble());
            case BOOLEAN -> text.append(value.asBoolean().getValue());
            case NULL -> text.append("null");
            case DATE_TIME -> date(value.asDateTime());
            case BINARY -> binary(value.asBinary());
            case TIMESTAMP -> timestamp(value.asTimestamp());
            case REGULAR_EXPRESSION -> regex(value.asRegularExpression());
            case JAVASCRIPT_WITH_SCOPE -> code((BsonJavaScriptWithScope) value);
            case DB_POINTER -> pointer(value.asDBPointer());
            case OBJECT_ID -> wrapped("$oid", value.asObjectId().getValue().toHexString());
            case DECIMAL128 ->
                wrapped("$numberDecimal", value.asDecimal128().getValue().toString());
            case JAVASCRIPT -> wrapped("$code", value.asJavaScript().getCode());
            case SYMBOL -> wrapped("$symbol", value.asSymbol().getSymbol());
            case MIN_KEY -> text.append("{$minKey: 1}");
            case MAX_KEY -> text.append("{$maxKey: 1}");
            case UNDEFINED -> text.append("{$undefined: true}");
            case END_OF_DOCUMENT -> throw new IllegalArgumentException("the end of a document is no value");
        }
        return this;
    }

    private void document(BsonDocument document) {
        text.append('{');
        String separator = "";
        for (Map.Entry<String, BsonValue> field : document.entrySet()) {
            text.append(separator);
            name(field.getKey()).value(field.getValue());
            separator = ", ";
        }
        text.append('}');
    }

    private FlowText name(String name) {
        if (isPlain(name)) {
            text.append(name);
        } else {
            int start = text.length();
            quoted(name);
            if (text.length() - start > LONGEST_SIMPLE_KEY) {
                text.insert(start, "? ");
                text.append(' ');
            }
        }
        text.append(": ");
        return this;
    }

    private void array(Iterable<BsonValue> elements) {
        text.append('[');
        String separator = "";
        for (BsonValue element : elements) {
            text.append(separator);
            value(element);
            separator = ", ";
        }
        text.append(']');
    }

    /** Beyond the range of an int32 a plain number is an int64. */
    private void int64(long value) {
        if (value == (int) value) {
            wrapped("$numberLong", Long.toString(value));
        } else {
            text.append(value);
        }
    }

    /** With an exponent it would be a text in YAML 1.1. */
    private void number(BsonDouble number) {
        String written = Double.toString(number.getValue());
        if (Double.isFinite(number.getValue()) && written.indexOf('E') < 0) {
            text.append(written);
        } else {
            wrapped("$numberDouble", written);
        }
    }

    private void date(BsonDateTime date) {
        long millis = date.getValue();
        text.append("{$date: ");
        if (millis >= 0 && millis <= LAST_READABLE_MILLIS) {
            quoted(Instant.ofEpochMilli(millis).toString());
        } else {
            wrapped("$numberLong", Long.toString(millis));
        }
        text.append('}');
    }

    private void binary(BsonBinary binary) {
        text.append("{$binary: {base64: ");
        quoted(Base64.getEncoder().encodeToString(binary.getData()));
        text.append(", subType: ");
        quoted("%02x".formatted(binary.getType() & 0xff)).text.append("}}");
    }

    private void timestamp(BsonTimestamp timestamp) {
        text.append("{$timestamp: {t: ")
                .append(Integer.toUnsignedString(timestamp.getTime()))
                .append(", i: ")
                .append(Integer.toUnsignedString(timestamp.getInc()))
                .append("}}");
    }

    private void regex(BsonRegularExpression regex) {
        text.append("{$regularExpression: {pattern: ");
        quoted(regex.getPattern()).text.append(", options: ");
        quoted(regex.getOptions()).text.append("}}");
    }

    private void code(BsonJavaScriptWithScope code) {
        text.append("{$code: ");
        quoted(code.getCode()).text.append(", $scope: ");
        document(code.getScope());
        text.append('}');
    }

    private void pointer(BsonDbPointer pointer) {
        text.append("{$dbPointer: {$ref: ");
        quoted(pointer.getNamespace()).text.append(", $id: ");
        wrapped("$oid", pointer.getId().toHexString());
        text.append("}}");
    }

    private void wrapped(String name, String value) {
        text.append('{').append(name).append(": ");
        quoted(value).text.append('}');
    }

    /** Whether YAML reads {@code value}, without quotes, as this very text wherever it stands. */
    private static boolean isPlain(String value) {
        boolean plain = !value.isEmpty()
                && value.length() <= LONGEST_SIMPLE_KEY
                && !RESERVED.contains(value.toLowerCase(Locale.ROOT));
        for (int i = 0; plain && i < value.length(); i++) {
            char c = value.charAt(i);
            boolean letter = isBetween(c, 'a', 'z') || isBetween(c, 'A', 'Z') || c == '_' || c == '$';
            boolean inner = isBetween(c, '0', '9') || c == '.' || c == '-';
            plain = letter || (i > 0 && inner);
        }
        return plain;
    }

    private static boolean isBetween(char c, char first, char last) {
        return c >= first && c <= last;
    }

    /** In double quotes, everything but printable ASCII escaped: YAML refuses some of the rest even there. */
    private FlowText quoted(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                text.append(c);
            } else {
                text.append("\\u%04x".formatted((int) c));
            }
        }
        text.append('"');
        return this;
    }
}
