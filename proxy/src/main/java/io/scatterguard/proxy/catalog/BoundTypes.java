package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.KeyBytesDecoder;
import io.scatterguard.protocol.bson.TypeClass;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which types a field of the shard key holds, as far as the chunk bounds tell. Of the first field every type among the
 * bounds is found, by halving; of a later one those of {@link #MAX_SAMPLED} bounds, evenly spread.
 */
final class BoundTypes {
    /** How many bounds are looked at for a field that is not the first. */
    static final int MAX_SAMPLED = 128;

    private final RoutingTable table;
    private final int field;
    private final Set<TypeClass> found = EnumSet.noneOf(TypeClass.class);

    private BoundTypes(RoutingTable table, int field) {
        this.table = table;
        this.field = field;
    }

    /**
     * The classes, without MinKey and MaxKey; empty where nothing is known: a hashed field, whose bounds are hashes, and a
     * table that is not split by values of the field.
     */
    static Set<TypeClass> of(RoutingTable table, int field) {
        BoundTypes types = new BoundTypes(table, field);
        if (!table.shardKey().field(field).hashed()) {
            types.look();
        }
        types.found.remove(TypeClass.MIN_KEY);
        types.found.remove(TypeClass.MAX_KEY);
        return Set.copyOf(types.found);
    }

    private void look() {
        int last = table.chunkCount() - 1;
        if (field == 0) {
            between(0, last, at(0), at(last));
        } else {
            int step = (table.chunkCount() + MAX_SAMPLED - 1) / MAX_SAMPLED;
            for (int i = 0; i <= last; i += step) {
                found.add(at(i));
            }
        }
    }

    /** The bounds ascend, and so do their classes: between two of one class there is no other. */
    private void between(int low, int high, TypeClass atLow, TypeClass atHigh) {
        found.add(atLow);
        found.add(atHigh);
        if (atLow != atHigh && high - low > 1) {
            int middle = (low + high) >>> 1;
            TypeClass atMiddle = at(middle);
            between(low, middle, atLow, atMiddle);
            between(middle, high, atMiddle, atHigh);
        }
    }

    private TypeClass at(int chunk) {
        return TypeClass.of(KeyBytesDecoder.decode(table.min(chunk)).get(field).getBsonType());
    }
}
