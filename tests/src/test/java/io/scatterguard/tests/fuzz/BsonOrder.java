package io.scatterguard.tests.fuzz;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** The order of BSON values by targeting semantics §4, written a second time so that it can judge the first. */
final class BsonOrder {
    private BsonOrder() {}

    /** The number of a value's class of types. */
    static int typeClass(BsonValue value) {
        return switch (value.getBsonType()) {
            case MIN_KEY -> -1;
            case UNDEFINED, END_OF_DOCUMENT -> 0;
            case NULL -> 5;
            case INT32, INT64, DOUBLE, DECIMAL128 -> 10;
            case STRING, SYMBOL -> 15;
            case DOCUMENT -> 20;
            case ARRAY -> 25;
            case BINARY -> 30;
            case OBJECT_ID -> 35;
            case BOOLEAN -> 40;
            case DATE_TIME -> 45;
            case TIMESTAMP -> 47;
            case REGULAR_EXPRESSION -> 50;
            case DB_POINTER -> 55;
            case JAVASCRIPT -> 60;
            case JAVASCRIPT_WITH_SCOPE -> 65;
            case MAX_KEY -> 127;
        };
    }

    static int compare(BsonValue a, BsonValue b) {
        int byClass = Integer.compare(typeClass(a), typeClass(b));
        return byClass != 0 ? byClass : withinClass(a, b);
    }

    /** Compound keys, field by field. */
    static int compareKeys(List<BsonValue> a, List<BsonValue> b) {
        for (int i = 0; i < a.size(); i++) {
            int order = compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static int withinClass(BsonValue a, BsonValue b) {
        return switch (a.getBsonType()) {
            case INT32, INT64, DOUBLE, DECIMAL128 -> numbers(a, b);
            case STRING, SYMBOL -> bytes(text(a), text(b));
            case DOCUMENT -> documents(a.asDocument(), b.asDocument());
            case ARRAY -> arrays(a.asArray(), b.asArray());
            case BINARY -> binaries(a.asBinary(), b.asBinary());
            case OBJECT_ID ->
                Arrays.compareUnsigned(
                        a.asObjectId().getValue().toByteArray(),
                        b.asObjectId().getValue().toByteArray());
            case BOOLEAN ->
                Boolean.compare(a.asBoolean().getValue(), b.asBoolean().getValue());
            case DATE_TIME ->
                Long.compare(a.asDateTime().getValue(), b.asDateTime().getValue());
            case TIMESTAMP ->
                Long.compareUnsigned(a.asTimestamp().getValue(), b.asTimestamp().getValue());
            case REGULAR_EXPRESSION -> {
                int byPattern = bytes(
                        a.asRegularExpression().getPattern(),
                        b.asRegularExpression().getPattern());
                yield byPattern != 0
                        ? byPattern
                        : bytes(
                                a.asRegularExpression().getOptions(),
                                b.asRegularExpression().getOptions());
            }
            case JAVASCRIPT ->
                bytes(a.asJavaScript().getCode(), b.asJavaScript().getCode());
            case JAVASCRIPT_WITH_SCOPE -> {
                int byCode = bytes(
                        a.asJavaScriptWithScope().getCode(),
                        b.asJavaScriptWithScope().getCode());
                yield byCode != 0
                        ? byCode
                        : documents(
                                a.asJavaScriptWithScope().getScope(),
                                b.asJavaScriptWithScope().getScope());
            }
            case DB_POINTER -> {
                if (!a.equals(b)) {
                    throw new IllegalArgumentException("the order of two DBPointers is not specified");
                }
                yield 0;
            }
            default -> 0;
        };
    }

    private static String text(BsonValue value) {
        return value.isString() ? value.asString().getValue() : value.asSymbol().getSymbol();
    }

    private static int bytes(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private static int documents(BsonDocument a, BsonDocument b) {
        Iterator<Map.Entry<String, BsonValue>> left = a.entrySet().iterator();
        Iterator<Map.Entry<String, BsonValue>> right = b.entrySet().iterator();
        while (left.hasNext() && right.hasNext()) {
            Map.Entry<String, BsonValue> x = left.next();
            Map.Entry<String, BsonValue> y = right.next();
            int order = Integer.compare(typeClass(x.getValue()), typeClass(y.getValue()));
            order = order != 0 ? order : bytes(x.getKey(), y.getKey());
            order = order != 0 ? order : compare(x.getValue(), y.getValue());
            if (order != 0) {
                return order;
            }
        }
        return Boolean.compare(left.hasNext(), right.hasNext());
    }

    private static int arrays(List<BsonValue> a, List<BsonValue> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    private static int binaries(BsonBinary a, BsonBinary b) {
        byte[] left = bytes(a);
        byte[] right = bytes(b);
        int order = Integer.compare(left.length, right.length);
        order = order != 0 ? order : Integer.compare(a.getType() & 0xff, b.getType() & 0xff);
        return order != 0 ? order : Arrays.compareUnsigned(left, right);
    }

    /** The data as it is in BSON, where that of the old subtype 2 begins with a length of its own. */
    static byte[] bytes(BsonBinary binary) {
        byte[] data = binary.getData();
        return binary.getType() != 2
                ? data
                : ByteBuffer.allocate(data.length + 4)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(data.length)
                        .put(data)
                        .array();
    }

    /** By exact mathematical value; NaN is below every other number and equals itself. */
    private static int numbers(BsonValue a, BsonValue b) {
        if (a.isInt32() && b.isInt32()) {
            return Integer.compare(a.asInt32().getValue(), b.asInt32().getValue());
        } else if (a.isInt64() && b.isInt64()) {
            return Long.compare(a.asInt64().getValue(), b.asInt64().getValue());
        }
        int rank = Integer.compare(rank(a), rank(b));
        if (rank != 0 || rank(a) != FINITE) {
            return rank;
        }
        return exact(a).compareTo(exact(b));
    }

    /** The bits of a decimal's high half that belong to its digits. */
    private static final long COEFFICIENT = 0x1FFFFFFFFFFFFL;

    private static final int NAN = 0;
    private static final int MINUS_INFINITY = 1;
    private static final int FINITE = 2;
    private static final int INFINITY = 3;

    static boolean isNaN(BsonValue value) {
        return typeClass(value) == 10 && rank(value) == NAN;
    }

    private static int rank(BsonValue number) {
        if (number.isDecimal128()) {
            Decimal128 decimal = number.asDecimal128().getValue();
            return decimal.isNaN()
                    ? NAN
                    : decimal.isFinite() ? FINITE : decimal.isNegative() ? MINUS_INFINITY : INFINITY;
        }
        double d = number.asNumber().doubleValue();
        return Double.isNaN(d) ? NAN : !Double.isInfinite(d) ? FINITE : d < 0 ? MINUS_INFINITY : INFINITY;
    }

    /** The exact value of a finite number. */
    static BigDecimal exact(BsonValue number) {
        return switch (number.getBsonType()) {
            case INT32, INT64 -> BigDecimal.valueOf(number.asNumber().longValue());
            case DOUBLE -> new BigDecimal(number.asDouble().getValue());
            default -> {
                Decimal128 decimal = number.asDecimal128().getValue();
                // A negative zero, which BigDecimal has not.
                boolean zero = (decimal.getHigh() & COEFFICIENT) == 0 && decimal.getLow() == 0;
                yield zero ? BigDecimal.ZERO : decimal.bigDecimalValue();
            }
        };
    }
}
