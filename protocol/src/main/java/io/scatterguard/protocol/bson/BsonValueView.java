package io.scatterguard.protocol.bson;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * One BSON value over borrowed bytes. Valid as long as the document it came from; values made by {@link #of(BsonValue)}
 * have bytes of their own and never die.
 */
public final class BsonValueView {
    public static final BsonValueView MIN_KEY = constant(BsonType.MIN_KEY);
    public static final BsonValueView MAX_KEY = constant(BsonType.MAX_KEY);
    public static final BsonValueView NULL = constant(BsonType.NULL);
    public static final BsonValueView UNDEFINED = constant(BsonType.UNDEFINED);

    private final BsonType type;
    private final ByteBuf bytes;
    private final int offset;
    private final int length;

    BsonValueView(BsonType type, ByteBuf bytes, int offset, int length) {
        this.type = type;
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    private static BsonValueView constant(BsonType type) {
        return new BsonValueView(type, Unpooled.EMPTY_BUFFER, 0, 0);
    }

    /** A value with heap bytes of its own. */
    public static BsonValueView of(BsonValue value) {
        BsonCursor cursor = BsonView.encode(new BsonDocument("", value)).cursor();
        cursor.next();
        return cursor.value();
    }

    public BsonType type() {
        return type;
    }

    /** The borrowed bytes; absolute reads only. */
    ByteBuf bytes() {
        return bytes;
    }

    /** Where the value starts, its length prefix included. */
    int offset() {
        return offset;
    }

    /** The length in bytes, length prefix included. */
    public int length() {
        return length;
    }

    /** True for int32, int64, double and decimal128. */
    public boolean isNumber() {
        return type == BsonType.INT32
                || type == BsonType.INT64
                || type == BsonType.DOUBLE
                || type == BsonType.DECIMAL128;
    }

    public boolean isString() {
        return type == BsonType.STRING;
    }

    public boolean isDocument() {
        return type == BsonType.DOCUMENT;
    }

    public boolean isArray() {
        return type == BsonType.ARRAY;
    }

    /** The value of an int32. */
    public int int32() {
        require(BsonType.INT32);
        return bytes.getIntLE(offset);
    }

    /** The value of an int64, a date (milliseconds) or a timestamp (seconds in the high 32 bits). */
    public long int64() {
        if (type != BsonType.DATE_TIME && type != BsonType.TIMESTAMP) {
            require(BsonType.INT64);
        }
        return bytes.getLongLE(offset);
    }

    /** The value of a double. */
    public double float64() {
        require(BsonType.DOUBLE);
        return Double.longBitsToDouble(bytes.getLongLE(offset));
    }

    /** The value of a decimal128; one with more digits than it can have is zero, as it is to the server. */
    public Decimal128 decimal128() {
        require(BsonType.DECIMAL128);
        return DecimalBits.decode(bytes.getLongLE(offset + 8), bytes.getLongLE(offset));
    }

    /** The value of a bool. */
    public boolean bool() {
        require(BsonType.BOOLEAN);
        return bytes.getByte(offset) != 0;
    }

    /** The value of a number, whatever its type, as a long: fractions cut, out of range clamped, NaN 0. */
    public long numberAsLong() {
        return switch (type) {
            case INT32 -> int32();
            case INT64 -> int64();
            case DOUBLE -> (long) float64();
            case DECIMAL128 -> decimalAsLong(decimal128());
            default -> throw wrongType("a number");
        };
    }

    private static long decimalAsLong(Decimal128 value) {
        if (value.isNaN()) {
            return 0;
        }
        return (long) value.doubleValue();
    }

    /** Whether the server would take this as a true flag: true, or a number other than 0. */
    public boolean isTruthy() {
        return switch (type) {
            case BOOLEAN -> bool();
            case INT32, INT64 -> numberAsLong() != 0;
            case DOUBLE -> float64() != 0;
            case DECIMAL128 -> !DecimalBits.isZero(bytes.getLongLE(offset + 8), bytes.getLongLE(offset));
            case NULL, UNDEFINED -> false;
            default -> true;
        };
    }

    /** The text of a string, symbol or code; allocates. */
    public String string() {
        if (type != BsonType.SYMBOL && type != BsonType.JAVASCRIPT) {
            require(BsonType.STRING);
        }
        return bytes.toString(offset + 4, length - 5, StandardCharsets.UTF_8);
    }

    /** Whether this is a string equal to {@code ascii}, without allocating. */
    public boolean stringEquals(String ascii) {
        if (type != BsonType.STRING || length - 5 != ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (bytes.getByte(offset + 4 + i) != (byte) ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether this is a string that begins with {@code ascii}, without allocating. */
    public boolean stringStartsWith(String ascii) {
        if (type != BsonType.STRING || length - 5 < ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (bytes.getByte(offset + 4 + i) != (byte) ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The pattern of a regex. */
    public String regexPattern() {
        require(BsonType.REGULAR_EXPRESSION);
        int pattern = BsonCursor.cStringLength(bytes, offset, offset + length);
        return bytes.toString(offset, pattern, StandardCharsets.UTF_8);
    }

    /** The options of a regex, for instance {@code im}. */
    public String regexOptions() {
        require(BsonType.REGULAR_EXPRESSION);
        int pattern = BsonCursor.cStringLength(bytes, offset, offset + length) + 1;
        return bytes.toString(offset + pattern, length - pattern - 1, StandardCharsets.UTF_8);
    }

    /** The data of a binary value, without its subtype; copies. */
    public byte[] binary() {
        require(BsonType.BINARY);
        return ByteBufUtil.getBytes(bytes, offset + 5, length - 5);
    }

    /** The nested document or array. */
    public BsonView document() {
        if (type != BsonType.DOCUMENT && type != BsonType.ARRAY) {
            throw wrongType("DOCUMENT or ARRAY");
        }
        return BsonView.of(bytes, offset, offset + length);
    }

    /** The scope of a code with scope. */
    BsonView scope() {
        require(BsonType.JAVASCRIPT_WITH_SCOPE);
        int code = offset + 4;
        return BsonView.of(
                bytes,
                code + BsonSizes.valueLength(BsonType.JAVASCRIPT, bytes, code, offset + length),
                offset + length);
    }

    /** Decodes into an object of its own; for people, configuration and tests. */
    public BsonValue toBsonValue() {
        ByteBuf document = Unpooled.buffer(length + 7);
        document.writeIntLE(length + 7).writeByte(type.getValue()).writeByte(0);
        document.writeBytes(bytes, offset, length).writeByte(0);
        BsonValue value = BsonView.of(document).toBsonDocument().get("");
        if (value == null) {
            throw new MalformedBsonException(type + " value of " + length + " bytes");
        }
        return value;
    }

    private void require(BsonType expected) {
        if (type != expected) {
            throw wrongType(expected.name());
        }
    }

    private MalformedBsonException wrongType(String expected) {
        return new MalformedBsonException("value type: " + type + " (expected: " + expected + ")");
    }

    /** The type only: a value may be a secret. */
    @Override
    public String toString() {
        return "BsonValueView[" + type + "]";
    }
}
