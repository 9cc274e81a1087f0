package io.scatterguard.tests.fuzz;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;

/** The hash of a hashed shard key field by targeting semantics §5, written a second time. */
final class BsonHash {
    private static final BigInteger LOWEST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger HIGHEST = BigInteger.valueOf(Long.MAX_VALUE);

    private final ByteArrayOutputStream fed = new ByteArrayOutputStream();

    private BsonHash() {}

    /** The value that stands for {@code value} in the key. */
    static BsonInt64 of(BsonValue value) {
        BsonHash hash = new BsonHash();
        hash.int32(0);
        hash.element(null, value);
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(hash.fed.toByteArray());
            return new BsonInt64(
                    ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void element(@org.jspecify.annotations.Nullable String name, BsonValue value) {
        int32(BsonOrder.typeClass(value));
        if (name != null) {
            text(name);
        }
        switch (value.getBsonType()) {
            case INT32, INT64, DOUBLE, DECIMAL128 -> int64(whole(value));
            case STRING -> lengthAndText(value.asString().getValue());
            case SYMBOL -> lengthAndText(value.asSymbol().getSymbol());
            case JAVASCRIPT -> lengthAndText(value.asJavaScript().getCode());
            case DOCUMENT -> members(value.asDocument());
            case ARRAY -> {
                BsonDocument named = new BsonDocument();
                for (BsonValue member : value.asArray()) {
                    named.append(Integer.toString(named.size()), member);
                }
                members(named);
            }
            case BINARY -> binary(value.asBinary());
            case OBJECT_ID -> fed.writeBytes(value.asObjectId().getValue().toByteArray());
            case BOOLEAN -> fed.write(value.asBoolean().getValue() ? 1 : 0);
            case DATE_TIME -> int64(value.asDateTime().getValue());
            case TIMESTAMP -> int64(value.asTimestamp().getValue());
            case REGULAR_EXPRESSION -> {
                BsonRegularExpression regex = value.asRegularExpression();
                text(regex.getPattern());
                text(regex.getOptions());
            }
            case DB_POINTER -> {
                lengthAndText(value.asDBPointer().getNamespace());
                fed.writeBytes(value.asDBPointer().getId().toByteArray());
            }
            case JAVASCRIPT_WITH_SCOPE -> {
                text(value.asJavaScriptWithScope().getCode());
                members(value.asJavaScriptWithScope().getScope());
            }
            case NULL, UNDEFINED, MIN_KEY, MAX_KEY, END_OF_DOCUMENT -> {}
        }
    }

    private void members(BsonDocument document) {
        for (Map.Entry<String, BsonValue> member : document.entrySet()) {
            element(member.getKey(), member.getValue());
        }
        int32(0);
    }

    private void binary(BsonBinary binary) {
        byte[] data = BsonOrder.bytes(binary);
        int32(data.length);
        fed.write(binary.getType());
        fed.writeBytes(data);
    }

    /** A number as the 64-bit integer that is hashed. */
    private static long whole(BsonValue number) {
        if (number.isInt32() || number.isInt64()) {
            return number.asNumber().longValue();
        } else if (BsonOrder.isNaN(number)) {
            return 0;
        } else if (number.isDouble()) {
            double d = number.asDouble().getValue();
            return d == 0x1p63 ? Long.MIN_VALUE : (long) d;
        } else if (number.asDecimal128().getValue().isInfinite()) {
            return number.asDecimal128().getValue().isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        BigDecimal exact = BsonOrder.exact(number);
        if (exact.compareTo(new BigDecimal(HIGHEST)) >= 0) {
            return Long.MAX_VALUE;
        }
        return exact.compareTo(new BigDecimal(LOWEST)) <= 0
                ? Long.MIN_VALUE
                : exact.setScale(0, RoundingMode.HALF_EVEN).longValueExact();
    }

    private void int32(int value) {
        fed.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array());
    }

    private void int64(long value) {
        fed.writeBytes(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array());
    }

    private void lengthAndText(String text) {
        int32(text.getBytes(StandardCharsets.UTF_8).length + 1);
        text(text);
    }

    private void text(String text) {
        fed.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        fed.write(0);
    }
}
