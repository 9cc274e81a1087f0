package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.HashedKey;
import io.scatterguard.protocol.bson.KeyBytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Chunks for a collection of which only the shard key is known, cut at the values that a command has for the key, so that
 * the label of the command is decided by the rules and not by a lucky layout: where every chunk has a shard of its own, one
 * shard is one chunk, and several chunks are several shards but not all.
 */
final class CaseLayout {
    private static final int MAX_VALUES = 8;
    private static final int MAX_BOUNDS = 1_000;
    private static final long DAY_MILLIS = 86_400_000;

    private final BsonDocument key;
    private final BsonDocument command;

    CaseLayout(BsonDocument key, BsonDocument command) {
        this.key = key;
        this.command = command;
    }

    /** Every chunk on a shard of its own: {@code s0}, {@code s1}, … in the order of the key. */
    List<BsonDocument> fine() {
        return chunks(Integer.MAX_VALUE);
    }

    /** The same chunks, dealt out to {@code shards} shards in turn. */
    List<BsonDocument> dealt(int shards) {
        return chunks(shards);
    }

    private List<BsonDocument> chunks(int shards) {
        List<BsonDocument> chunks = new ArrayList<>();
        BsonDocument min = whole(new BsonMinKey());
        for (BsonDocument bound : bounds()) {
            chunks.add(chunk(min, bound, chunks.size() % shards));
            min = bound;
        }
        chunks.add(chunk(min, whole(new BsonMaxKey()), chunks.size() % shards));
        return chunks;
    }

    private static BsonDocument chunk(BsonDocument min, BsonDocument max, int shard) {
        return new BsonDocument("min", min).append("max", max).append("shard", new BsonString("s" + shard));
    }

    private BsonDocument whole(BsonValue end) {
        BsonDocument bound = new BsonDocument();
        key.keySet().forEach(field -> bound.append(field, end));
        return bound;
    }

    /** Every combination of values of a prefix of the key, the rest MinKey, in the order of the key; shorter ones first. */
    private Collection<BsonDocument> bounds() {
        Map<byte[], BsonDocument> bounds = new TreeMap<>(KeyBytes::compare);
        List<String> rest = List.copyOf(key.keySet());
        List<BsonDocument> prefixes = List.of(new BsonDocument());
        while (!rest.isEmpty()) {
            String field = rest.get(0);
            rest = rest.subList(1, rest.size());
            List<BsonDocument> longer = new ArrayList<>();
            for (BsonDocument prefix : prefixes) {
                for (BsonValue value : values(field)) {
                    longer.add(prefix.clone().append(field, value));
                }
            }
            prefixes = longer.subList(0, Math.min(longer.size(), MAX_BOUNDS));
            for (BsonDocument prefix : prefixes) {
                BsonDocument bound = prefix.clone();
                rest.forEach(later -> bound.append(later, new BsonMinKey()));
                if (!isEnd(bound)) {
                    bounds.put(KeyBytes.ofValues(BsonView.encode(bound)), bound);
                }
            }
        }
        return bounds.values();
    }

    /** Whether it is where the first chunk begins or the last one ends: there is nothing to cut there. */
    private static boolean isEnd(BsonDocument bound) {
        return bound.values().stream().allMatch(value -> value.getBsonType() == BsonType.MIN_KEY)
                || bound.values().stream().allMatch(value -> value.getBsonType() == BsonType.MAX_KEY);
    }

    /** The values that the command has for a key field, their neighbours, and some others; hashed for a hashed field. */
    private Set<BsonValue> values(String field) {
        Set<BsonValue> given = new LinkedHashSet<>();
        collect(command, field, false, given);
        Set<BsonValue> values = new LinkedHashSet<>(given);
        given.forEach(value -> addNeighbours(value, values));
        values.add(new BsonInt32(0));
        values.add(new BsonString("m"));
        if (!key.isString(field)) {
            return values;
        }
        Set<BsonValue> hashes = new LinkedHashSet<>();
        values.forEach(v -> hashes.add(new BsonInt64(HashedKey.hash(BsonValueView.of(v)))));
        return hashes;
    }

    /** A little less and a little more of the same type, so that a range with one end meets several chunks. */
    private static void addNeighbours(BsonValue value, Set<BsonValue> values) {
        if (value.isNumber()) {
            values.add(new BsonDouble(value.asNumber().doubleValue() - 1));
            values.add(new BsonDouble(value.asNumber().doubleValue() + 1));
        } else if (value.isString()) {
            values.add(new BsonString(" "));
            values.add(new BsonString(value.asString().getValue() + "~"));
        } else if (value.isDateTime()) {
            values.add(new BsonDateTime(value.asDateTime().getValue() - DAY_MILLIS));
            values.add(new BsonDateTime(value.asDateTime().getValue() + DAY_MILLIS));
        } else if (value.isObjectId()) {
            values.add(new BsonObjectId(new ObjectId("000000000000000000000001")));
            values.add(new BsonObjectId(new ObjectId("fffffffffffffffffffffff0")));
        }
    }

    /** Gathers scalars below a member that is called like the field, or like the end of its path. */
    private static void collect(BsonValue from, String field, boolean below, Set<BsonValue> values) {
        if (values.size() >= MAX_VALUES) {
            return;
        }
        if (from.isDocument()) {
            from.asDocument().forEach((name, value) -> {
                boolean named = name.equals(field) || field.endsWith("." + name);
                collect(value, field, named || (below && name.startsWith("$")), values);
            });
        } else if (from.isArray()) {
            from.asArray().forEach(value -> collect(value, field, below, values));
        } else if (below) {
            values.add(from);
        }
    }
}
