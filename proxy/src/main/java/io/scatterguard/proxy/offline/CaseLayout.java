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
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Chunks for a collection of which only the shard key is known, cut at the values that a command has for the key, so that
 * the label of the command is decided by the rules and not by a lucky layout: where every chunk has a shard of its own, one
 * shard is one chunk, and several chunks are several shards but not all.
 */
final class CaseLayout {
    private static final int MAX_VALUES = 8;
    private static final int MAX_BOUNDS = 2_000;

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

    /** Every combination of values of a prefix of the key, the rest MinKey, in the order of the key. */
    private Collection<BsonDocument> bounds() {
        Map<byte[], BsonDocument> bounds = new TreeMap<>(KeyBytes::compare);
        extend(new BsonDocument(), List.copyOf(key.keySet()), bounds);
        return bounds.values();
    }

    private void extend(BsonDocument prefix, List<String> rest, Map<byte[], BsonDocument> bounds) {
        if (bounds.size() >= MAX_BOUNDS) {
            return;
        }
        if (!prefix.isEmpty()) {
            BsonDocument bound = prefix.clone();
            rest.forEach(field -> bound.append(field, new BsonMinKey()));
            bounds.put(KeyBytes.ofValues(BsonView.encode(bound)), bound);
        }
        if (!rest.isEmpty()) {
            for (BsonValue value : values(rest.get(0))) {
                extend(prefix.clone().append(rest.get(0), value), rest.subList(1, rest.size()), bounds);
            }
        }
    }

    /** The values that the command has for a key field, and some that it does not have; hashed for a hashed field. */
    private Set<BsonValue> values(String field) {
        Set<BsonValue> values = new LinkedHashSet<>();
        collect(command, field, false, values);
        values.add(new BsonInt32(0));
        values.add(new BsonString("m"));
        if (!key.isString(field)) {
            return values;
        }
        Set<BsonValue> hashes = new LinkedHashSet<>();
        values.forEach(v -> hashes.add(new BsonInt64(HashedKey.hash(BsonValueView.of(v)))));
        return hashes;
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
