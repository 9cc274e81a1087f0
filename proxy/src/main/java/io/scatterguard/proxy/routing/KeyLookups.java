package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.HashedKey;
import io.scatterguard.protocol.bson.KeyBytesDecoder;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Or;
import io.scatterguard.proxy.routing.KeyLookup.Chunk;
import io.scatterguard.proxy.routing.KeyLookup.Field;
import io.scatterguard.proxy.routing.KeyLookup.Narrowing;
import io.scatterguard.proxy.routing.KeyLookup.Outcome;
import io.scatterguard.proxy.routing.KeyLookup.Range;
import io.scatterguard.proxy.routing.KeyLookup.ValueInterval;
import io.scatterguard.proxy.routing.RoutingLog.Look;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonMaxKey;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Makes a {@link KeyLookup} of what a {@link RoutingLog} kept: decodes key bytes, lists the first and counts the rest. */
final class KeyLookups {
    static final int MAX_INTERVALS = 10;
    static final int MAX_CHUNKS = 20;
    /** So many values are hashed again to say what a hash stands for. */
    private static final int MAX_HASHED = 1_000;

    private final Look look;
    private final RoutingTable table;
    private final ShardKey key;
    private final ShardRegistry registry;

    private KeyLookups(Look look, ShardRegistry registry) {
        this.look = look;
        this.table = look.table;
        this.key = table.shardKey();
        this.registry = registry;
    }

    static KeyLookup of(Look look, ShardRegistry registry) {
        return new KeyLookups(look, registry).lookup();
    }

    private KeyLookup lookup() {
        boolean contradiction = look.outcome == Outcome.RANGES && look.rangeCount == 0;
        if (!table.isPlaced()) {
            return unplaced(contradiction);
        }
        if (contradiction && table.boundsKnown()) {
            look.chunks.set(0);
        } else if (contradiction) {
            look.shards.set(table.firstChunkShard());
        }
        SortedMap<Integer, Integer> byOrdinal = new TreeMap<>();
        look.chunks.stream().forEach(chunk -> byOrdinal.merge(table.owner(chunk), 1, Integer::sum));
        Map<String, Integer> byShard = new LinkedHashMap<>();
        BitSet shards = (BitSet) look.shards.clone();
        byOrdinal.forEach((ordinal, count) -> {
            byShard.put(shard(ordinal), count);
            shards.set(ordinal);
        });
        return new KeyLookup(
                contradiction ? Outcome.CONTRADICTION : look.outcome,
                key,
                fields(),
                ranges(),
                look.rangeCount,
                look.chunks.stream().limit(MAX_CHUNKS).mapToObj(this::chunk).toList(),
                look.chunks.cardinality(),
                table.boundsKnown() ? table.chunkCount() : 0,
                byShard,
                ShardSet.of(shards));
    }

    /** Of a table of which only the key was read: no chunk, and no shard. */
    private KeyLookup unplaced(boolean contradiction) {
        return new KeyLookup(
                contradiction ? Outcome.CONTRADICTION : look.outcome,
                key,
                fields(),
                ranges(),
                look.rangeCount,
                List.of(),
                0,
                0,
                Map.of(),
                ShardSet.none());
    }

    private List<Range> ranges() {
        return look.ranges.stream()
                .map(range -> new Range(named(range[0]), named(range[1])))
                .toList();
    }

    private List<Field> fields() {
        List<Field> fields = new ArrayList<>(key.size());
        KeyBounds bounds = look.bounds;
        List<BsonValue> point =
                bounds == null ? KeyBytesDecoder.decode(look.ranges.get(0)[0]) : List.of();
        for (int i = 0; i < key.size(); i++) {
            fields.add(bounds == null ? pinned(key.field(i), point.get(i)) : bounded(key.field(i), bounds.field(i)));
        }
        return fields;
    }

    private Field pinned(ShardKey.Field field, BsonValue value) {
        BsonValue hashOf = field.hashed() ? hashed(field).get(value.asNumber().longValue()) : null;
        ValueInterval interval = new ValueInterval(value, true, value, true, hashOf);
        return new Field(field.path(), field.hashed(), Narrowing.EQUALITY, List.of(interval), 1);
    }

    private Field bounded(ShardKey.Field field, Intervals intervals) {
        Narrowing narrowing = intervals.coversEverything()
                ? Narrowing.NONE
                : intervals.isAllPoints() ? Narrowing.EQUALITY : Narrowing.RANGE;
        Map<Long, BsonValue> hashed = field.hashed() ? hashed(field) : Map.of();
        List<ValueInterval> shown = intervals.list().stream()
                .limit(MAX_INTERVALS)
                .map(interval -> interval(interval, hashed))
                .toList();
        return new Field(field.path(), field.hashed(), narrowing, shown, intervals.size());
    }

    private static ValueInterval interval(Interval interval, Map<Long, BsonValue> hashed) {
        BsonValue low = KeyBytesDecoder.decode(interval.low()).get(0);
        BsonValue high = KeyBytesDecoder.decode(interval.high()).get(0);
        BsonValue hashOf =
                interval.isPoint() && low.isNumber() ? hashed.get(low.asNumber().longValue()) : null;
        return new ValueInterval(low, interval.lowIncluded(), high, interval.highIncluded(), hashOf);
    }

    /** The values that the filter, or the document, has for a hashed field, by their hashes. */
    private Map<Long, BsonValue> hashed(ShardKey.Field field) {
        List<BsonValueView> values = new ArrayList<>();
        if (look.document != null) {
            BsonValueView value = DocumentKey.at(look.document, field.path());
            values.add(value == null ? BsonValueView.NULL : value);
        }
        if (look.filter != null) {
            collect(look.filter, field.path(), values);
        }
        Map<Long, BsonValue> byHash = new HashMap<>();
        values.stream().limit(MAX_HASHED).forEach(value -> byHash.put(HashedKey.hash(value), value.toBsonValue()));
        return byHash;
    }

    private static void collect(Filter filter, String path, List<BsonValueView> values) {
        if (filter instanceof And and) {
            and.members().forEach(member -> collect(member, path, values));
        } else if (filter instanceof Or or) {
            or.members().forEach(member -> collect(member, path, values));
        } else if (filter instanceof Compare compare && compare.isEquality()) {
            addAt(compare, path, values);
        } else if (filter instanceof In in && in.path().equals(path)) {
            values.addAll(in.values());
        }
    }

    private static void addAt(Compare compare, String path, List<BsonValueView> values) {
        BsonValueView value = compare.value();
        if (compare.path().equals(path)) {
            values.add(value);
        } else if (path.startsWith(compare.path() + ".") && value.isDocument()) {
            BsonValueView below = DocumentKey.at(
                    value.document(), path.substring(compare.path().length() + 1));
            if (below != null) {
                values.add(below);
            }
        }
    }

    private Chunk chunk(int index) {
        @Nullable BsonDocument max = index + 1 < table.chunkCount() ? named(table.min(index + 1)) : null;
        return new Chunk(named(table.min(index)), max == null ? end() : max, shard(table.owner(index)));
    }

    /** A table can hold an ordinal that is no shard's. */
    private String shard(int ordinal) {
        List<String> ids = registry.ids();
        return ordinal >= 0 && ordinal < ids.size() ? ids.get(ordinal) : "unknown";
    }

    private BsonDocument named(byte[] keyBytes) {
        List<BsonValue> values = KeyBytesDecoder.decode(keyBytes);
        BsonDocument named = new BsonDocument();
        for (int i = 0; i < key.size(); i++) {
            named.append(key.field(i).path(), values.get(i));
        }
        return named;
    }

    private BsonDocument end() {
        BsonDocument end = new BsonDocument();
        key.fields().forEach(field -> end.append(field.path(), new BsonMaxKey()));
        return end;
    }
}
