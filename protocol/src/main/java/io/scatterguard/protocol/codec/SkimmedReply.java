package io.scatterguard.protocol.codec;

import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** What a reply says of its outcome; every value is null where the reply does not say it. */
public final class SkimmedReply {
    private @Nullable Boolean ok;
    private @Nullable Integer code;
    private @Nullable Integer n;
    private @Nullable Long cursorId;
    private int batchSize = -1;

    private SkimmedReply() {}

    static SkimmedReply nothing() {
        return new SkimmedReply();
    }

    /** Whether {@code ok} was true or 1; null if the reply was not understood or has none. */
    public @Nullable Boolean ok() {
        return ok;
    }

    /** The error code. */
    public @Nullable Integer code() {
        return code;
    }

    /** The field {@code n} of a write or a count. */
    public @Nullable Integer n() {
        return n;
    }

    /** {@code cursor.id}; 0 where the cursor is exhausted. */
    public @Nullable Long cursorId() {
        return cursorId;
    }

    /** How many documents {@code firstBatch} or {@code nextBatch} holds. */
    public @Nullable Integer batchSize() {
        return batchSize < 0 ? null : batchSize;
    }

    /** Whether the value of this element is to be read: a number, or for {@code ok} also a boolean. */
    static boolean wants(boolean inBody, SkimmedName name, BsonType type) {
        boolean number = type == BsonType.INT32 || type == BsonType.INT64 || type == BsonType.DOUBLE;
        if (!inBody) {
            return number && name.is("id");
        }
        if (name.is("ok")) {
            return number || type == BsonType.BOOLEAN;
        }
        return number && (name.is("code") || name.is("n"));
    }

    static int valueBytes(BsonType type) {
        return switch (type) {
            case BOOLEAN -> 1;
            case INT32 -> 4;
            default -> 8;
        };
    }

    /** {@code bits} are the value of an element that is wanted. */
    void found(boolean inBody, SkimmedName name, BsonType type, long bits) {
        long whole = type == BsonType.INT32 ? (int) bits : bits;
        double value = type == BsonType.DOUBLE ? Double.longBitsToDouble(bits) : whole;
        if (!inBody) {
            cursorId = type == BsonType.DOUBLE ? (long) value : whole;
        } else if (name.is("ok")) {
            ok = value == 1;
        } else if (name.is("code")) {
            code = (int) value;
        } else {
            n = (int) value;
        }
    }

    void beginBatch() {
        batchSize = 0;
    }

    void countDocument() {
        batchSize++;
    }
}
