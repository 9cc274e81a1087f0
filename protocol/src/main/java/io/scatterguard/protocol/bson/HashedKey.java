package io.scatterguard.protocol.bson;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.bson.BsonType;
import org.bson.types.Decimal128;

/**
 * The hash by which a hashed shard key field is stored and routed: the first eight bytes of an MD5 over the value's class
 * and bytes (targeting semantics §5). Numbers are cut to an integer first, so 1, 1L and 1.9 hash alike.
 */
public final class HashedKey {
    private static final int SEED = 0;
    private static final double TWO_TO_63 = 0x1p63;
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);

    private final MessageDigest md5;

    private HashedKey(MessageDigest md5) {
        this.md5 = md5;
    }

    /**
     * The hash of {@code value}, which is borrowed. A missing field hashes as {@link BsonValueView#NULL}.
     *
     * @throws MalformedBsonException if it is nested deeper than {@link BsonView#MAX_DEPTH}
     */
    public static long hash(BsonValueView value) {
        HashedKey hasher = new HashedKey(newMd5());
        hasher.updateInt(SEED);
        hasher.updateInt(TypeClass.of(value.type()).number());
        hasher.updateBody(value, 0);
        byte[] digest = hasher.md5.digest();
        long hash = 0;
        for (int i = 7; i >= 0; i--) {
            hash = (hash << 8) | (digest[i] & 0xff);
        }
        return hash;
    }

    private static MessageDigest newMd5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("MD5: not offered by this Java runtime (every one must)", e);
        }
    }

    private void updateBody(BsonValueView value, int depth) {
        if (depth > BsonView.MAX_DEPTH) {
            throw new MalformedBsonException("nesting: more than " + BsonView.MAX_DEPTH + " levels");
        }
        switch (value.type()) {
            case INT32, INT64 -> updateLong(value.numberAsLong());
            case DOUBLE -> updateLong(cut(value.float64()));
            case DECIMAL128 -> updateLong(rounded(value.decimal128()));
            case DOCUMENT, ARRAY -> updateMembers(value.document(), depth + 1);
            case JAVASCRIPT_WITH_SCOPE -> updateCodeWithScope(value, depth + 1);
            default -> updateRaw(value.bytes(), value.offset(), value.length());
        }
    }

    /** Every member's class, name and value; then the class of the end mark. */
    private void updateMembers(BsonView members, int depth) {
        BsonCursor cursor = members.cursor();
        while (cursor.next()) {
            updateInt(TypeClass.of(cursor.type()).number());
            for (int i = 0; i < cursor.nameLength(); i++) {
                md5.update(cursor.nameByte(i));
            }
            md5.update((byte) 0);
            updateBody(cursor.value(), depth);
        }
        updateInt(TypeClass.of(BsonType.END_OF_DOCUMENT).number());
    }

    private void updateCodeWithScope(BsonValueView value, int depth) {
        ByteBuf bytes = value.bytes();
        int limit = value.offset() + value.length();
        int code = value.offset() + 4;
        int codeLength = BsonSizes.valueLength(BsonType.JAVASCRIPT, bytes, code, limit);
        updateRaw(bytes, code + 4, codeLength - 4);
        updateMembers(BsonView.of(bytes, code + codeLength, limit), depth);
    }

    /** Towards zero and clamped as a C++ cast guarded by the server does it: exactly 2^63 becomes −2^63. */
    private static long cut(double value) {
        return value == TWO_TO_63 ? Long.MIN_VALUE : (long) value;
    }

    /** To the nearest integer, halves to the even one; unlike doubles, which are cut. */
    private static long rounded(Decimal128 value) {
        if (value.isNaN()) {
            return 0;
        }
        if (value.isInfinite()) {
            return value.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        double near = value.doubleValue();
        if (near == 0) {
            return 0;
        }
        BigDecimal exact = value.bigDecimalValue();
        if (exact.compareTo(MAX) >= 0) {
            return Long.MAX_VALUE;
        }
        if (exact.compareTo(MIN) <= 0) {
            return Long.MIN_VALUE;
        }
        return exact.setScale(0, RoundingMode.HALF_EVEN).longValue();
    }

    private void updateInt(int value) {
        for (int shift = 0; shift < 32; shift += 8) {
            md5.update((byte) (value >>> shift));
        }
    }

    private void updateLong(long value) {
        updateInt((int) value);
        updateInt((int) (value >>> 32));
    }

    private void updateRaw(ByteBuf bytes, int offset, int length) {
        if (length > 0) {
            md5.update(ByteBufUtil.getBytes(bytes, offset, length));
        }
    }
}
