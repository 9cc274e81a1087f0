package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.HashedKey;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.WouldFail.Cause;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a shard refuses an update because of what it writes to the shard key (targeting semantics §10.7). The shard looks
 * at a document that it found, and only where the key's value becomes another one, in this order: an array, since 7.0 many
 * documents, the full key missing in the filter (before 7.0), before 7.0 many documents, no number of a transaction or
 * retryable write (until 8.0). Since 7.0 a filter without the full key may change it, and what happens in each case is not
 * settled; of releases before 4.4 nothing is said.
 */
final class KeyChange {
    private final UpdateStatement update;
    private final BsonView options;
    private final ShardedCollection collection;
    private final boolean unnumbered;

    /**
     * @param options where the collation stands
     * @param unnumbered whether the command would have a transaction number if it were retryable, and has none
     */
    KeyChange(UpdateStatement update, BsonView options, ShardedCollection collection, boolean unnumbered) {
        this.update = update;
        this.options = options;
        this.collection = collection;
        this.unnumbered = unnumbered;
    }

    /** What comes of it, about statement {@code index}; null if nothing, or if it is not settled. */
    @Nullable WouldFail error(int index) {
        WrittenKey written = WrittenKey.of(update, collection.key());
        if (!written.isAny() || !collection.release().atLeast(4, 4)) {
            return null;
        }
        if (written.holdsArray()) {
            return new WouldFail(PredictedError.NOT_SINGLE_VALUE_FIELD, Cause.ARRAY_IN_KEY, index, true);
        }
        try {
            Filter filter = collection.parse(update.filter());
            boolean certain = isChanged(written, filter);
            return certain || mayChange(written, filter) ? refused(filter, index, certain) : null;
        } catch (FilterException e) {
            return null;
        }
    }

    private @Nullable WouldFail refused(Filter filter, int index, boolean certain) {
        RouterRelease release = collection.release();
        boolean fullKey = Equalities.of(filter, collection.key()) != null;
        if (!fullKey && !release.atLeast(7, 0)) {
            return new WouldFail(PredictedError.KEY_UPDATE_WITHOUT_KEY, Cause.KEY_CHANGE_WITHOUT_KEY, index, certain);
        }
        if (update.multi()) {
            return new WouldFail(PredictedError.INVALID_OPTIONS, Cause.KEY_CHANGE_OF_MANY, index, certain);
        }
        return fullKey && unnumbered && !release.atLeast(8, 1)
                ? new WouldFail(PredictedError.ILLEGAL_OPERATION, Cause.KEY_CHANGE_NOT_RETRYABLE, index, certain)
                : null;
    }

    /** Whether a field certainly becomes another than the filter pins it to. */
    private boolean isChanged(WrittenKey written, Filter filter) {
        for (int i = 0; i < collection.key().size(); i++) {
            BsonValueView value = written.value(i);
            BsonValueView pinned = value == null ? null : pinned(filter, i);
            if (value != null
                    && pinned != null
                    && isComparable(pinned)
                    && isComparable(value)
                    && !isSame(i, pinned, value)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a field may become another: it is not pinned to the value that is written. */
    private boolean mayChange(WrittenKey written, Filter filter) {
        for (int i = 0; i < collection.key().size(); i++) {
            BsonValueView value = written.value(i);
            BsonValueView pinned = value == null ? null : pinned(filter, i);
            boolean same = value != null
                    && pinned != null
                    && isComparable(pinned)
                    && isComparable(value)
                    && isSame(i, pinned, value);
            if (written.isUnknown(i) || (value != null && !same)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable BsonValueView pinned(Filter filter, int index) {
        List<BsonValueView> values =
                Equalities.of(filter, new ShardKey(List.of(collection.key().field(index))));
        return values == null ? null : values.get(0);
    }

    /** Whether what the filter finds is equal to {@code value} by its bytes' order, whatever the collation. */
    private boolean isComparable(BsonValueView value) {
        boolean text =
                Collation.holdsText(value) && !collection.collation(options).simple();
        return !text && value.length() <= IntervalBudget.MAX_KEY_VALUE_BYTES;
    }

    /** Whether both are the same to the shard: it looks at the hash of a hashed field only. */
    private boolean isSame(int index, BsonValueView a, BsonValueView b) {
        return collection.key().field(index).hashed()
                ? HashedKey.hash(a) == HashedKey.hash(b)
                : Arrays.equals(KeyBytes.of(a), KeyBytes.of(b));
    }
}
