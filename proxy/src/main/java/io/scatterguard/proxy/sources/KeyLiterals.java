package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.Findings.KeyField;
import io.scatterguard.proxy.sources.Literal.Item;
import io.scatterguard.proxy.sources.Literal.Items;
import io.scatterguard.proxy.sources.Literal.Text;
import io.scatterguard.proxy.sources.Literal.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Shard keys that are written out. */
final class KeyLiterals {
    private KeyLiterals() {}

    /**
     * A key of names with 1, {@code "asc"} or {@code "hashed"}.
     *
     * @param field what a name is called in the documents
     */
    static List<KeyField> named(Literal key, UnaryOperator<String> field) {
        if (!(key instanceof Items items) || items.items().isEmpty()) {
            throw new SourceException(key.offset(), "its key is not written out");
        }
        List<KeyField> fields = new ArrayList<>();
        for (Item item : items.items()) {
            String name = item.name();
            if (name == null || name.isEmpty()) {
                throw new SourceException(item.value().offset(), "a field of its key has no name that is written out");
            }
            fields.add(new KeyField(field.apply(name), isHashed(item.value())));
        }
        return fields;
    }

    /** A key of names alone. */
    static List<KeyField> names(Items items, UnaryOperator<String> field) {
        List<KeyField> fields = new ArrayList<>();
        for (Item item : items.items()) {
            String name = item.value() instanceof Word word ? word.value() : Literal.requireText(item.value());
            fields.add(new KeyField(field.apply(name), false));
        }
        return fields;
    }

    private static boolean isHashed(Literal direction) {
        String written =
                direction instanceof Text text ? text.value() : direction instanceof Word word ? word.value() : "";
        return switch (written) {
            case "1", "asc", "ASC" -> false;
            case "hashed" -> true;
            default ->
                throw new SourceException(
                        direction.offset(),
                        "a field of its key is " + (written.isEmpty() ? "computed" : written)
                                + " (expected: 1 or \"hashed\" written out)");
        };
    }
}
