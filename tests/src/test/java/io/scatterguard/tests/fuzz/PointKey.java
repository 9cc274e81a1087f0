package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.Node.Compare;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The full key that a filter pins by equality (targeting semantics §6.3). */
final class PointKey {
    private PointKey() {}

    /** A value for each key field, hashed where the field is; null if the filter does not pin them or may not. */
    static @Nullable List<BsonValue> of(Node filter, Layout layout, boolean simple) {
        List<Compare> equalities = new ArrayList<>();
        collect(filter, equalities);
        if (!simple && layout.hasHashedField()) {
            return null;
        }
        List<BsonValue> key = new ArrayList<>();
        for (Layout.Field field : layout.key()) {
            BsonValue value = value(equalities, field.path());
            if (value == null || (!simple && isText(value))) {
                return null;
            }
            key.add(field.hashed() ? BsonHash.of(value) : value);
        }
        return key;
    }

    private static boolean isText(BsonValue value) {
        return value.isString() || value.isSymbol() || value.isDocument() || value.isArray();
    }

    private static void collect(Node node, List<Compare> out) {
        if (node instanceof Node.And and) {
            and.members().forEach(m -> collect(m, out));
        } else if (node instanceof Compare compare && compare.isEquality()) {
            out.add(compare);
        }
    }

    private static @Nullable BsonValue value(List<Compare> equalities, String path) {
        List<Compare> about = equalities.stream()
                .filter(e -> e.path().equals(path)
                        || path.startsWith(e.path() + ".")
                        || e.path().startsWith(path + "."))
                .toList();
        if (about.size() != 1 || about.get(0).path().length() > path.length()) {
            return null;
        }
        Compare equality = about.get(0);
        BsonValue value = equality.value();
        if (path.length() > equality.path().length()) {
            for (String name : path.substring(equality.path().length() + 1).split("\\.")) {
                value = value != null && value.isDocument() ? value.asDocument().get(name) : null;
            }
        }
        return value == null || isUnfit(value) ? null : value;
    }

    private static boolean isUnfit(BsonValue value) {
        return value.isArray()
                || value.isRegularExpression()
                || value.getBsonType() == BsonType.UNDEFINED
                || (value.isDocument() && value.asDocument().keySet().stream().anyMatch(name -> name.startsWith("$")));
    }
}
