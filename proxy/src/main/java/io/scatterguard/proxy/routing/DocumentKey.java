package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.HashedKey;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.ShardKey;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** The shard key of a document that is stored: inserted, or a replacement (targeting semantics §3). */
final class DocumentKey {
    /** Enough for a key of three or four small fields. */
    static final int TYPICAL_BYTES = 48;

    private DocumentKey() {}

    /**
     * The key of {@code document}, or null if it has no key: an array stands on the path of a field.
     *
     * @param missingId the value of {@code _id} where the document has none; null for none
     */
    static @Nullable KeyBytes of(BsonView document, ShardKey key, @Nullable BsonValueView missingId) {
        KeyBytes bytes = new KeyBytes(TYPICAL_BYTES);
        for (int i = 0; i < key.size(); i++) {
            ShardKey.Field field = key.field(i);
            BsonValueView value = at(document, field.path());
            if (value == null && missingId != null && field.path().equals("_id")) {
                value = missingId;
            }
            if (value != null && value.isArray()) {
                return null;
            }
            append(field, value == null ? BsonValueView.NULL : value, bytes);
        }
        return bytes;
    }

    /** As {@link #of}, from a document that has each key path as a plain field name. */
    static @Nullable KeyBytes ofFlat(BsonView keyByPath, ShardKey key) {
        KeyBytes bytes = new KeyBytes(TYPICAL_BYTES);
        for (ShardKey.Field field : key.fields()) {
            BsonValueView value = get(keyByPath, field.path());
            if (value != null && value.isArray()) {
                return null;
            }
            append(field, value == null ? BsonValueView.NULL : value, bytes);
        }
        return bytes;
    }

    /** Whether the document lacks a field of the key. */
    static boolean isIncomplete(BsonView document, ShardKey key) {
        return key.fields().stream().anyMatch(field -> at(document, field.path()) == null);
    }

    /**
     * Appends the value as the field holds it: hashed if it is a hashed field, null for undefined.
     *
     * @throws FilterException if it is too large to be looked at
     */
    static void append(ShardKey.Field field, BsonValueView value, KeyBytes bytes) {
        BsonValueView stored = value.type() == BsonType.UNDEFINED ? BsonValueView.NULL : value;
        IntervalBudget.requireKeyValue(stored);
        if (field.hashed()) {
            bytes.appendInt64(HashedKey.hash(stored));
        } else {
            bytes.append(stored);
        }
    }

    /**
     * The value at a dotted path through sub-documents; null if there is none. An array on the way is the value itself,
     * because it makes the key impossible.
     */
    static @Nullable BsonValueView at(BsonView document, String path) {
        int dot = path.indexOf('.');
        BsonValueView value = get(document, dot < 0 ? path : path.substring(0, dot));
        if (dot < 0 || value == null || value.isArray()) {
            return value;
        }
        return value.isDocument() ? at(value.document(), path.substring(dot + 1)) : null;
    }

    private static @Nullable BsonValueView get(BsonView document, String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 0x80) {
                return getByText(document, name);
            }
        }
        return document.get(name);
    }

    private static @Nullable BsonValueView getByText(BsonView document, String name) {
        BsonCursor cursor = document.cursor();
        while (cursor.next()) {
            if (cursor.name().equals(name)) {
                return cursor.value();
            }
        }
        return null;
    }
}
