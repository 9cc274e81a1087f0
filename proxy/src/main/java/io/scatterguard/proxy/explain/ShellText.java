package io.scatterguard.proxy.explain;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** Values as one would type them in {@code mongosh}, on one line; what is long is cut and says so. */
final class ShellText {
    /** The most characters of one string, or of one whole document. */
    static final int MAX_CHARACTERS = 70;

    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$.]*");
    private static final long YEAR_10000 =
            Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();
    private static final JsonWriterSettings JSON =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    private ShellText() {}

    static String of(BsonValue value) {
        return switch (value.getBsonType()) {
            case MIN_KEY -> "MinKey";
            case MAX_KEY -> "MaxKey";
            case NULL -> "null";
            case UNDEFINED -> "undefined";
            case INT32 -> Integer.toString(value.asInt32().getValue());
            case INT64 -> Long.toString(value.asInt64().getValue());
            case DOUBLE -> Double.toString(value.asDouble().getValue());
            case DECIMAL128 -> "NumberDecimal(\"" + value.asDecimal128().getValue() + "\")";
            case BOOLEAN -> Boolean.toString(value.asBoolean().getValue());
            case STRING -> quoted(value.asString().getValue());
            case SYMBOL -> quoted(value.asSymbol().getSymbol());
            case OBJECT_ID -> "ObjectId(\"" + value.asObjectId().getValue() + "\")";
            case DATE_TIME -> date(value.asDateTime().getValue());
            case TIMESTAMP ->
                "Timestamp(" + Integer.toUnsignedString(value.asTimestamp().getTime()) + ", "
                        + Integer.toUnsignedString(value.asTimestamp().getInc()) + ")";
            case BINARY -> binary(value.asBinary());
            case REGULAR_EXPRESSION -> regex(value.asRegularExpression());
            case DOCUMENT -> document(value.asDocument());
            case ARRAY -> cut(joined(value.asArray()), "[", "]");
            case JAVASCRIPT -> "Code(" + quoted(value.asJavaScript().getCode()) + ")";
            case JAVASCRIPT_WITH_SCOPE -> code(value.asJavaScriptWithScope());
            case DB_POINTER ->
                "DBPointer(" + quoted(value.asDBPointer().getNamespace()) + ", ObjectId(\""
                        + value.asDBPointer().getId() + "\"))";
            case END_OF_DOCUMENT -> "";
        };
    }

    /** {@code (1, "x")}, or the value alone where there is only one. */
    static String tuple(BsonDocument key) {
        List<String> values = key.values().stream().map(ShellText::of).toList();
        return values.size() == 1 ? values.get(0) : "(" + String.join(", ", values) + ")";
    }

    private static String document(BsonDocument document) {
        List<String> members = new ArrayList<>();
        for (Map.Entry<String, BsonValue> member : document.entrySet()) {
            boolean plain = PLAIN_NAME.matcher(member.getKey()).matches();
            members.add((plain ? member.getKey() : quoted(member.getKey())) + ": " + of(member.getValue()));
        }
        return cut(members, "{", "}");
    }

    private static List<String> joined(List<BsonValue> values) {
        return values.stream().map(ShellText::of).toList();
    }

    /** As many members as fit; an ellipsis for the rest. */
    private static String cut(List<String> members, String open, String close) {
        StringBuilder text = new StringBuilder(open);
        for (int i = 0; i < members.size(); i++) {
            boolean fits = text.length() + members.get(i).length() <= MAX_CHARACTERS || i == 0;
            if (!fits) {
                return text.append(", ...").append(close).toString();
            }
            text.append(i == 0 ? "" : ", ").append(members.get(i));
        }
        return text.append(close).toString();
    }

    private static String quoted(String text) {
        if (text.length() <= MAX_CHARACTERS) {
            return json(text);
        }
        return json(text.substring(0, MAX_CHARACTERS / 2)) + "... (" + text.length() + " characters)";
    }

    /** With the escapes of JSON, so that no character of a value reaches the terminal as a control. */
    private static String json(String text) {
        String document = new BsonDocument("", new BsonString(text)).toJson(JSON);
        StringBuilder escaped = new StringBuilder();
        String value = document.substring(document.indexOf(':') + 1, document.length() - 1)
                .strip();
        value.chars().forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                escaped.append(String.format("\\u%04x", c));
            } else {
                escaped.append((char) c);
            }
        });
        return escaped.toString();
    }

    private static String date(long millis) {
        try {
            return millis > YEAR_10000 || millis < -YEAR_10000
                    ? "new Date(" + millis + ")"
                    : "ISODate(\"" + Instant.ofEpochMilli(millis) + "\")";
        } catch (DateTimeException e) {
            return "new Date(" + millis + ")";
        }
    }

    private static String binary(BsonBinary binary) {
        if (binary.getType() == BsonBinarySubType.UUID_STANDARD.getValue() && binary.getData().length == 16) {
            return "UUID(\"" + binary.asUuid() + "\")";
        }
        return "BinData(" + (binary.getType() & 0xff) + ", "
                + quoted(Base64.getEncoder().encodeToString(binary.getData())) + ")";
    }

    private static String regex(BsonRegularExpression regex) {
        String pattern = quoted(regex.getPattern());
        return "/" + pattern.substring(1, pattern.length() - 1) + "/" + regex.getOptions();
    }

    private static String code(BsonJavaScriptWithScope code) {
        return "Code(" + quoted(code.getCode()) + ", " + document(code.getScope()) + ")";
    }
}
