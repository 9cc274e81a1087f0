package io.scatterguard.proxy.validation;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * An index as {@code listIndexes} shows it.
 *
 * @param unique whether it is, or is being made so ({@code prepareUnique})
 * @param unusable why it cannot support a shard key, whatever its fields; without what only its contents tell
 */
record IndexFacts(String name, KeyPattern key, boolean unique, List<String> unusable) {
    IndexFacts {
        unusable = List.copyOf(unusable);
    }

    static IndexFacts of(BsonDocument listed) {
        List<String> unusable = new ArrayList<>();
        if (isTrue(listed.get("sparse"))) {
            unusable.add("sparse");
        }
        if (listed.containsKey("partialFilterExpression")) {
            unusable.add("partial");
        }
        if (listed.containsKey("collation")) {
            unusable.add("of another collation than simple");
        }
        if (isTrue(listed.get("hidden"))) {
            unusable.add("hidden");
        }
        BsonDocument key = listed.isDocument("key") ? listed.getDocument("key") : new BsonDocument();
        boolean unique = isTrue(listed.get("unique")) || isTrue(listed.get("prepareUnique"));
        return new IndexFacts(
                listed.getString("name", new BsonString("?")).getValue(), new KeyPattern(key), unique, unusable);
    }

    /** The server takes any number but 0 for true. */
    private static boolean isTrue(@Nullable BsonValue value) {
        return BsonBoolean.TRUE.equals(value)
                || (value != null && value.isNumber() && value.asNumber().doubleValue() != 0);
    }

    /** {@code name {a: 1}}. */
    @Override
    public String toString() {
        return name + " " + key;
    }
}
