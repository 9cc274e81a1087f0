package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * From bounds on the key to shards: the intervals of the fields are flattened to closed ranges over the whole key (targeting
 * semantics §6.6), and each range is followed from chunk to chunk (§6.7).
 */
final class KeyRanges {
    /** The router refuses a command that needs more ranges (code 17439). */
    static final int MAX_RANGES = 4_000_000;

    private final RoutingTable table;
    private final RouterRelease release;
    private final RoutingTrace trace;

    KeyRanges(RoutingTable table, RouterRelease release, RoutingTrace trace) {
        this.table = table;
        this.release = release;
        this.trace = trace;
    }

    /**
     * Whether no chunk holds this key: MaxKey in every field, before 7.1 (§6.11). Since then the last chunk does.
     *
     * @throws FilterException for such a key in 5.0, 6.0 and 7.0, of which some patches may place it
     */
    boolean isBeyondChunks(KeyBytes key) {
        if (release.atLeast(7, 1) || !isMaxKey(key)) {
            return false;
        }
        boolean hasPatches = release.minor() == 0 && release.atLeast(5, 0);
        if (hasPatches) {
            throw FilterException.notUnderstood();
        }
        return true;
    }

    private boolean isMaxKey(KeyBytes key) {
        int fields = table.shardKey().size();
        if (key.size() != fields * Interval.MAX_KEY.length) {
            return false;
        }
        KeyBytes max = new KeyBytes(key.size());
        for (int i = 0; i < fields; i++) {
            max.append(Interval.MAX_KEY);
        }
        return key.compareTo(max.toByteArray()) == 0;
    }

    /**
     * The shards that the bounds reach; empty if the bounds contradict each other.
     *
     * @throws FilterException if there are more than {@link #MAX_RANGES}
     */
    ShardSet shards(KeyBounds bounds) {
        KeyBytes low = new KeyBytes();
        KeyBytes high = new KeyBytes();
        int fields = bounds.size();
        for (int i = 0; i < fields; i++) {
            if (bounds.field(i).isEmpty()) {
                return ShardSet.none();
            }
        }
        int open = 0;
        while (open < fields && bounds.field(open).isSinglePoint()) {
            low.append(bounds.field(open).lowest());
            high.append(bounds.field(open).highest());
            open++;
        }
        BitSet shards = new BitSet();
        if (open == fields) {
            add(low, high, true, shards);
        } else {
            addRanges(bounds, open, low, high, shards);
        }
        return ShardSet.of(shards);
    }

    /** One range an interval of field {@code open}, after the fields before; later fields give their outermost values. */
    private void addRanges(KeyBounds bounds, int open, KeyBytes low, KeyBytes high, BitSet shards) {
        List<Interval> intervals = bounds.field(open).list();
        if (intervals.size() > MAX_RANGES) {
            throw FilterException.tooManyRanges();
        }
        boolean pointsFollow = true;
        for (int i = open + 1; i < bounds.size(); i++) {
            pointsFollow &= bounds.field(i).isSinglePoint();
        }
        int lowPrefix = low.size();
        int highPrefix = high.size();
        requireSettled(bounds, open, intervals.get(intervals.size() - 1), low);
        int owning = table.owningShards().size();
        for (Interval interval : intervals) {
            low.truncate(lowPrefix);
            high.truncate(highPrefix);
            low.append(interval.low());
            high.append(interval.high());
            for (int i = open + 1; i < bounds.size(); i++) {
                low.append(bounds.field(i).lowest());
                high.append(bounds.field(i).highest());
            }
            add(low, high, pointsFollow && interval.isPoint(), shards);
            if (shards.cardinality() == owning && !trace.wantsEveryRange()) {
                return;
            }
        }
    }

    /** Of the last range as well, which is not walked where those before it reach all shards already. */
    private void requireSettled(KeyBounds bounds, int open, Interval last, KeyBytes low) {
        if (release.atLeast(7, 1) || !Arrays.equals(last.low(), Interval.MAX_KEY)) {
            return;
        }
        int prefix = low.size();
        low.append(last.low());
        for (int i = open + 1; i < bounds.size(); i++) {
            low.append(bounds.field(i).lowest());
        }
        isBeyondChunks(low);
        low.truncate(prefix);
    }

    /** @param point whether both ends are the same */
    private void add(KeyBytes low, KeyBytes high, boolean point, BitSet shards) {
        if (isBeyondChunks(low)) {
            return;
        }
        trace.range(low, high);
        if (point) {
            shards.set(table.shardOf(low));
        } else {
            table.addShards(low, high, shards);
        }
    }
}
