package io.scatterguard.tests.fuzz;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Makes documents for a collection, some with values that a filter asks for. */
final class DocumentGenerator {
    private final Dice dice;
    private final Layout layout;
    private final List<Values> values;

    DocumentGenerator(Dice dice, Layout layout, List<Values> values) {
        this.dice = dice;
        this.layout = layout;
        this.values = values;
    }

    /** Documents of which many hold what the filter asks for. */
    List<BsonDocument> documents(BsonDocument filter, int count) {
        Map<String, List<BsonValue>> asked = new HashMap<>();
        collect("", filter, asked);
        List<BsonDocument> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            documents.add(document(asked));
        }
        return documents;
    }

    /** Every value that stands under a path, or behind one in an expression. */
    private static void collect(String path, BsonValue value, Map<String, List<BsonValue>> out) {
        if (NodeReader.isOperators(value) || (path.isEmpty() && value.isDocument())) {
            value.asDocument().forEach((name, v) -> collect(name.startsWith("$") ? path : name, v, out));
        } else if (value.isArray()) {
            String behind = value.asArray().stream()
                    .filter(v -> v.isString() && v.asString().getValue().startsWith("$"))
                    .map(v -> v.asString().getValue().substring(1))
                    .findFirst()
                    .orElse(path);
            value.asArray().forEach(v -> collect(behind, v, out));
        } else if (!value.isRegularExpression()) {
            out.computeIfAbsent(path, p -> new ArrayList<>()).add(value);
        }
    }

    private BsonDocument document(Map<String, List<BsonValue>> asked) {
        BsonDocument document = new BsonDocument();
        for (int i = 0; i < layout.key().size(); i++) {
            String path = layout.key().get(i).path();
            if (!dice.chance(12)) {
                boolean asAsked = asked.containsKey(path) && dice.chance(60);
                BsonValue value =
                        asAsked ? dice.oneOf(asked.get(path)) : values.get(i).key();
                set(document, path, dice.chance(25) ? otherCase(value) : value);
            }
        }
        if (dice.chance(50)) {
            document.append("x", beside());
        }
        return document;
    }

    /** Text in the other case, which a collation may take for the same. */
    private static BsonValue otherCase(BsonValue value) {
        if (!value.isString()) {
            return value;
        }
        String text = value.asString().getValue();
        String upper = text.toUpperCase(Locale.ROOT);
        return new BsonString(text.equals(upper) ? text.toLowerCase(Locale.ROOT) : upper);
    }

    private BsonValue beside() {
        BsonValue value = values.get(0).key();
        return switch (dice.below(4)) {
            case 0 -> new BsonDocument("y", value);
            case 1 -> new BsonArray(List.of(value, new BsonInt32(1)));
            default -> value;
        };
    }

    private void set(BsonDocument document, String path, BsonValue value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            document.append(path, value);
            return;
        }
        String parent = path.substring(0, dot);
        if (dice.chance(6)) {
            document.append(parent, values.get(0).key());
            return;
        }
        BsonValue inner = document.get(parent);
        BsonDocument nested =
                inner != null && inner.isDocument() ? inner.asDocument().clone() : new BsonDocument();
        if (dice.chance(10)) {
            nested.append("z", new BsonInt32(1));
        }
        document.append(parent, nested.append(path.substring(dot + 1), value));
    }
}
