package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.HashedKey;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardSet;
import org.bson.BsonType;

/**
 * A short way for the filters that most commands have: nothing but values without structure, each under a name of its own, and
 * no key field pinned in any but the plainest manner. Such a filter needs no algebra, its key is put together in one walk over
 * its bytes.
 *
 * <p>It gives exactly what {@link FilterParser}, {@link FilterNormalizer} and {@link FilterTargeting} give together, in every
 * release, or nothing: any other filter is left to them.
 */
final class PlainEqualities {
    /** Not a field of the key, nor above or below one. */
    private static final int NO_FIELD = -1;
    /** Above or below a field of the key. */
    private static final int OVERLAPS = -2;

    private final ShardKey key;
    private final KeyBytes bytes = new KeyBytes(DocumentKey.TYPICAL_BYTES);

    /** How many leading fields of the key are in {@link #bytes}. */
    private int appended;

    /** Bit i: field i of the key is pinned. */
    private long pinned;

    private boolean pinsText;
    private boolean pinsNull;

    PlainEqualities(ShardKey key) {
        this.key = key;
    }

    /**
     * Walks a filter from its beginning; whether it is plain and pins at least the first field of the key. The other methods
     * are about such a filter only.
     */
    boolean read(BsonCursor filter) {
        if (key.size() >= Long.SIZE) {
            return false;
        }
        long otherNames = 0;
        while (filter.next()) {
            int field = isPlain(filter.type()) && !filter.nameStartsWith("$") ? fieldOf(filter) : OVERLAPS;
            if (field >= 0) {
                if (!pin(field, filter)) {
                    return false;
                }
            } else {
                long bit = 1L << filter.nameHash();
                if (field == OVERLAPS || (otherNames & bit) != 0 || !filter.nameIsAscii()) {
                    return false;
                }
                otherNames |= bit;
            }
        }
        // A null has two points in a range.
        return isFullKey() || ((pinned & 1) != 0 && !pinsNull);
    }

    /** The position of the key field that the element's name is. */
    private int fieldOf(BsonCursor cursor) {
        int found = NO_FIELD;
        int length = cursor.nameLength();
        for (int i = 0; i < key.size(); i++) {
            String path = key.field(i).path();
            if (length == path.length()) {
                found = cursor.nameEquals(path) ? i : found;
            } else if (length > path.length()) {
                if (cursor.nameByte(path.length()) == '.' && cursor.nameStartsWith(path)) {
                    return OVERLAPS;
                }
            } else if (path.charAt(length) == '.' && cursor.nameIsPrefixOf(path)) {
                return OVERLAPS;
            }
        }
        return found;
    }

    /** False if the field is pinned already, or to something large. */
    private boolean pin(int field, BsonCursor cursor) {
        long bit = 1L << field;
        if ((pinned & bit) != 0 || cursor.elementLength() > IntervalBudget.MAX_KEY_VALUE_BYTES) {
            return false;
        }
        pinned |= bit;
        BsonType type = cursor.type();
        pinsText |= type == BsonType.STRING;
        pinsNull |= type == BsonType.NULL;
        if (field == appended) {
            append(field, cursor);
            appended++;
        }
        return true;
    }

    /** Values that are looked up as they are: no pattern, nothing with parts, none of the ends of the order. */
    private static boolean isPlain(BsonType type) {
        return switch (type) {
            case DOUBLE, STRING, BINARY, OBJECT_ID, BOOLEAN, DATE_TIME, NULL, INT32, TIMESTAMP, INT64, DECIMAL128 ->
                true;
            default -> false;
        };
    }

    /** Whether a collation keeps the values from being looked up, or might (targeting semantics §7). */
    boolean isRefusedBy(Collation collation) {
        return !collation.simple() && (pinsText || key.hasHashedField());
    }

    boolean isFullKey() {
        return pinned == (1L << key.size()) - 1;
    }

    /** Bit i: field i of the key is pinned. */
    long pinned() {
        return pinned;
    }

    /** Independent of the placement, as the others. */
    Shape shape() {
        return isFullKey() ? Shape.SINGLE_SHARD : Shape.MULTI_SHARD;
    }

    Reason reason() {
        return isFullKey() ? Reason.FULL_KEY : Reason.KEY_BOUNDS;
    }

    /** The shards in {@code table}, which has this key; {@code filter} is what was read. To be called once. */
    ShardSet shards(BsonCursor filter, RoutingTable table) {
        return isFullKey() ? ShardSet.of(point(filter, table)) : range(filter, table);
    }

    /** §6.3. */
    private int point(BsonCursor filter, RoutingTable table) {
        complete(filter, Interval.MIN_KEY);
        return table.shardOf(bytes);
    }

    /** §6.4 to §6.7: one range, over everything in the fields that are not pinned. */
    private ShardSet range(BsonCursor filter, RoutingTable table) {
        int prefix = bytes.size();
        complete(filter, Interval.MIN_KEY);
        int first = table.chunkOf(bytes);
        bytes.truncate(prefix);
        complete(filter, Interval.MAX_KEY);
        return table.owners(first, table.chunkOf(bytes));
    }

    /** Appends the rest of the key: the values out of the key's order, {@code otherwise} for what is not pinned. */
    private void complete(BsonCursor filter, byte[] otherwise) {
        for (int i = appended; i < key.size(); i++) {
            if ((pinned & 1L << i) != 0) {
                append(i, find(i, filter));
            } else {
                bytes.append(otherwise);
            }
        }
    }

    /** Goes to the value of a field that is pinned, but not in the key's order. */
    private BsonCursor find(int field, BsonCursor filter) {
        filter.rewind();
        while (filter.next() && !filter.nameEquals(key.field(field).path())) {
            // Further on.
        }
        return filter;
    }

    private void append(int field, BsonCursor cursor) {
        if (key.field(field).hashed()) {
            bytes.appendInt64(HashedKey.hash(cursor.value()));
        } else {
            bytes.append(cursor);
        }
    }
}
