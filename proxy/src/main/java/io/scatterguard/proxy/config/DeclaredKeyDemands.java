package io.scatterguard.proxy.config;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What {@code shardCollection} demands of a shard key, of its fields' names above all. */
final class DeclaredKeyDemands {
    static final String KEY_EXPECTED = "fields with 1 or \"hashed\", like {customer: 1}";
    static final BsonString HASHED = new BsonString("hashed");

    /** As many fields as a compound index may have. */
    private static final int MAX_FIELDS = 32;

    private static final String ID = "_id";

    private final BsonDocument key;
    private final Requirements requirements;

    DeclaredKeyDemands(BsonDocument key, Requirements requirements) {
        this.key = key;
        this.requirements = requirements;
    }

    /** Adds what is wrong with the key of a collection, whose fields are its own, not those of buckets. */
    void check(@Nullable TimeseriesRule timeseries) {
        demand(!key.isEmpty(), "no field (expected: " + KEY_EXPECTED + ")");
        demand(
                key.size() <= MAX_FIELDS,
                key.size() + " fields (expected: at most " + MAX_FIELDS + ", as an index may have)");
        demand(key.values().stream().filter(HASHED::equals).count() <= 1, "two hashed fields (expected: at most one)");
        key.forEach(this::field);
        paths(List.copyOf(key.keySet()));
        if (timeseries != null) {
            measurements(timeseries);
        }
    }

    /** A tracked collection that is not sharded has the one key that the server gives it. */
    void checkUnsplittable() {
        demand(
                List.copyOf(key.keySet()).equals(List.of(ID)) && !key.containsValue(HASHED),
                "a shard key beside unsplittable (expected: none, as the collection is not sharded)");
    }

    private void field(String path, BsonValue value) {
        boolean one = value.isNumber() && value.asNumber().doubleValue() == 1;
        demand(one || value.equals(HASHED), path + ": neither 1 nor \"hashed\" (expected: " + KEY_EXPECTED + ")");
        boolean named = List.of(path.split("\\.", -1)).stream()
                .noneMatch(part -> part.isEmpty() || part.startsWith("$") || part.indexOf('\0') >= 0);
        demand(
                named,
                Quoting.quoted(path) + " is no path of a field (expected: names separated by dots, none empty and"
                        + " none beginning with $)");
    }

    /** No index can have a field and one inside it. */
    private void paths(List<String> paths) {
        for (String outer : paths) {
            for (String inner : paths) {
                demand(!inner.startsWith(outer + "."), inner + " lies inside " + outer + " (expected: one of them)");
            }
        }
    }

    /** The key of a time-series collection: of its meta field, or in it, and of its time, which comes last. */
    private void measurements(TimeseriesRule timeseries) {
        String meta = timeseries.metaField();
        for (Iterator<Map.Entry<String, BsonValue>> fields = key.entrySet().iterator(); fields.hasNext(); ) {
            Map.Entry<String, BsonValue> field = fields.next();
            String path = field.getKey();
            boolean time = path.equals(timeseries.timeField());
            boolean ofMeta = meta != null && (path.equals(meta) || path.startsWith(meta + "."));
            demand(
                    time || ofMeta,
                    path + " is neither the time field nor of the meta field (expected: " + timeseries.timeField()
                            + (meta == null ? "" : ", " + meta + ", or a field in " + meta)
                            + ", as the others are not in the buckets' documents)");
            demand(!time || !field.getValue().equals(HASHED), path + " is the time field and hashed (expected: 1)");
            demand(
                    !time || !fields.hasNext(),
                    path + " is the time field and not the last one (expected: the last field of the key)");
        }
    }

    private void demand(boolean holds, String problem) {
        requirements.that(holds, "key", problem);
    }
}
