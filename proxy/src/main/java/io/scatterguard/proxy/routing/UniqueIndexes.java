package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.WouldFail.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a unique index suits a shard key: no shard knows the values of the others, so the index must begin with the names
 * of the key's fields, whether hashed or not, or with {@code _id} (server source {@code shard_key_pattern.cpp}). A shard
 * answers {@code createIndexes} with 67 otherwise, and {@code collMod} with 72; of {@code prepareUnique} that is known since
 * 7.0.
 */
final class UniqueIndexes {
    private UniqueIndexes() {}

    /** The first index of a {@code createIndexes} (borrowed) that is refused; null if none is. */
    static @Nullable WouldFail created(CommandView command, ShardKey key, RouterRelease release) {
        if (Batch.isTooLarge(command, "indexes")) {
            return null;
        }
        List<BsonView> indexes = command.statements("indexes");
        for (int i = 0; i < indexes.size(); i++) {
            if (isUnique(indexes.get(i), release) && isRefused(indexes.get(i).get("key"), key)) {
                return new WouldFail(PredictedError.CANNOT_CREATE_INDEX, Cause.UNIQUE_INDEX_WITHOUT_KEY, i, true);
            }
        }
        return null;
    }

    /** The error of a {@code collMod} (borrowed) that prepares an index to be unique; null if it names it, or for none. */
    static @Nullable WouldFail modified(CommandView command, ShardKey key, RouterRelease release) {
        BsonValueView index = command.get("index");
        if (index == null || !index.isDocument() || !release.atLeast(7, 0)) {
            return null;
        }
        return UpdateStatement.isSet(index.document(), "prepareUnique")
                        && isRefused(index.document().get("keyPattern"), key)
                ? new WouldFail(PredictedError.INVALID_OPTIONS, Cause.UNIQUE_INDEX_WITHOUT_KEY, 0, true)
                : null;
    }

    private static boolean isUnique(BsonView index, RouterRelease release) {
        return UpdateStatement.isSet(index, "unique")
                || (release.atLeast(7, 0) && UpdateStatement.isSet(index, "prepareUnique"));
    }

    /** No server makes a unique index with a hashed field, so that is left to it. */
    private static boolean isRefused(@Nullable BsonValueView pattern, ShardKey key) {
        if (pattern == null || !pattern.isDocument()) {
            return false;
        }
        BsonCursor cursor = pattern.document().cursor();
        boolean begins = true;
        int fields = 0;
        while (cursor.next()) {
            if (cursor.value().stringEquals("hashed") || (fields == 0 && cursor.nameEquals("_id"))) {
                return false;
            }
            begins &= fields >= key.size()
                    || cursor.name().equals(key.field(fields).path());
            fields++;
        }
        return !begins || fields < key.size();
    }
}
