package io.scatterguard.proxy.routing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The normal form of a meta value (addendum §A.6): the fields of every document in it sorted by name, in UTF-8 order. */
final class SortedFields {
    private SortedFields() {}

    static BsonValue of(BsonValue value) {
        if (value.isDocument()) {
            TreeMap<String, BsonValue> byName = new TreeMap<>(SortedFields::compareUtf8);
            byName.putAll(value.asDocument());
            BsonDocument sorted = new BsonDocument();
            byName.forEach((name, member) -> sorted.append(name, of(member)));
            return sorted;
        }
        if (value.isArray()) {
            BsonArray elements = new BsonArray();
            value.asArray().forEach(element -> elements.add(of(element)));
            return elements;
        }
        return value;
    }

    private static int compareUtf8(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
