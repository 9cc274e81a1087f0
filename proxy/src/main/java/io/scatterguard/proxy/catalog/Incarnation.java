package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * One life of a collection: dropping and creating it again, refining its key or resharding it begins another, and
 * chunk versions of two lives cannot be compared (targeting semantics §2.1).
 *
 * @param uuid 3.6 and later; the key of its chunks from 5.0 on
 * @param epoch {@code lastmodEpoch}
 * @param timestamp 5.0 and later
 */
record Incarnation(
        Namespace namespace,
        @Nullable BsonBinary uuid,
        @Nullable ObjectId epoch,
        @Nullable BsonTimestamp timestamp) {

    /** The incarnation in a document of {@code config.collections}. */
    static Incarnation of(BsonDocument collection) {
        String name = ConfigFields.string(collection, "_id", "config.collections");
        BsonValue uuid = collection.get("uuid");
        BsonValue epoch = collection.get("lastmodEpoch");
        return new Incarnation(
                Namespace.parse(name),
                uuid != null && uuid.isBinary() ? uuid.asBinary() : null,
                epoch != null && epoch.isObjectId() ? epoch.asObjectId().getValue() : null,
                ConfigFields.isAbsent(collection, "timestamp")
                        ? null
                        : ConfigFields.timestamp(collection, "timestamp", name));
    }

    /** The field of {@code config.chunks} that names the collection: {@code uuid} from 5.0 on, {@code ns} before. */
    String chunksField() {
        return timestamp == null ? "ns" : "uuid";
    }

    /** The value of {@link #chunksField()} in this collection's chunks. */
    BsonValue chunksKey() {
        if (timestamp == null) {
            return new BsonString(namespace.fullName());
        }
        if (uuid == null) {
            throw ConfigFields.wrongType(namespace.fullName(), "uuid", null, "a UUID, as there is a timestamp");
        }
        return uuid;
    }
}
