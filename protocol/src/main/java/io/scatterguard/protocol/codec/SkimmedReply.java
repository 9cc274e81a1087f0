package io.scatterguard.protocol.codec;

import java.nio.charset.StandardCharsets;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** What a reply says of its outcome; every value is null where the reply does not say it. */
public final class SkimmedReply {
    /** The server's hash is a SHA-256 in hexadecimal digits. */
    static final int HASH_CHARS = 64;

    /** Where an element stands. */
    enum Place {
        BODY,
        CURSOR,
        WRITE_CONCERN_ERROR
    }

    private @Nullable Boolean ok;
    private @Nullable Integer code;
    private @Nullable Integer writeConcernCode;
    private @Nullable Integer n;
    private @Nullable Long cursorId;
    private int batchSize = -1;
    private byte @Nullable [] hash;

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

    /** The code in {@code writeConcernError}: the command was carried out, but not confirmed as it was asked to be. */
    public @Nullable Integer writeConcernCode() {
        return writeConcernCode;
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

    /** The server's own hash of the shape of what was explained (since 8.0), in its spelling: 64 hexadecimal digits. */
    public @Nullable String queryShapeHash() {
        byte[] digits = hash;
        if (digits == null) {
            return null;
        }
        for (byte digit : digits) {
            if (Character.digit(digit, 16) < 0) {
                return null;
            }
        }
        return new String(digits, StandardCharsets.US_ASCII);
    }

    /** Whether a text of {@code length} bytes, its NUL included, is the hash to be read. */
    static boolean wantsHash(Place place, SkimmedName name, BsonType type, int length) {
        return place == Place.BODY && type == BsonType.STRING && length == HASH_CHARS + 1 && name.is("queryShapeHash");
    }

    /** The byte at {@code index} of the hash. */
    void foundDigit(byte digit, int index) {
        if (hash == null) {
            hash = new byte[HASH_CHARS];
        }
        if (index < HASH_CHARS) {
            hash[index] = digit;
        }
    }

    /** Whether the value of this element is to be read: a number, or for {@code ok} also a boolean. */
    static boolean wants(Place place, SkimmedName name, BsonType type) {
        boolean number = type == BsonType.INT32 || type == BsonType.INT64 || type == BsonType.DOUBLE;
        return switch (place) {
            case CURSOR -> number && name.is("id");
            case WRITE_CONCERN_ERROR -> number && name.is("code");
            case BODY ->
                name.is("ok") ? number || type == BsonType.BOOLEAN : number && (name.is("code") || name.is("n"));
        };
    }

    static int valueBytes(BsonType type) {
        return switch (type) {
            case BOOLEAN -> 1;
            case INT32 -> 4;
            default -> 8;
        };
    }

    /** {@code bits} are the value of an element that is wanted. */
    void found(Place place, SkimmedName name, BsonType type, long bits) {
        long whole = type == BsonType.INT32 ? (int) bits : bits;
        double value = type == BsonType.DOUBLE ? Double.longBitsToDouble(bits) : whole;
        if (place == Place.WRITE_CONCERN_ERROR) {
            writeConcernCode = (int) value;
        } else if (place == Place.CURSOR) {
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
