package io.scatterguard.protocol.bson;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * Key bytes of numbers, exact across int32, int64, double and decimal128. A sign byte; then for finite values other than 0
 * the magnitude cut to the next double towards zero (its bits, big-endian), and what the cut lost, exactly, in decimal:
 * nothing for every double and small integer. A negative number's bytes are inverted after the sign.
 */
final class NumberKeyBytes {
    private static final byte NAN = 0;
    private static final byte NEGATIVE_INFINITY = 1;
    private static final byte NEGATIVE = 2;
    private static final byte ZERO = 3;
    private static final byte POSITIVE = 4;
    private static final byte POSITIVE_INFINITY = 5;

    private static final byte EXACT = 0;
    private static final byte WITH_REMAINDER = 1;
    /** Added to a decimal exponent so that it is positive; decimal128 reaches down to 10^-6176. */
    private static final int EXPONENT_BIAS = 0x4000;

    private static final long EXACT_IN_DOUBLE = 1L << 53;
    private static final BigDecimal TWO_TO_63 = BigDecimal.valueOf(2).pow(63);

    private NumberKeyBytes() {}

    static void append(KeyBytes out, long value) {
        if (value >= -EXACT_IN_DOUBLE && value <= EXACT_IN_DOUBLE) {
            append(out, (double) value);
        } else {
            appendExact(out, BigDecimal.valueOf(value));
        }
    }

    static void append(KeyBytes out, double value) {
        if (Double.isNaN(value)) {
            out.put(NAN);
        } else if (Double.isInfinite(value)) {
            out.put(value < 0 ? NEGATIVE_INFINITY : POSITIVE_INFINITY);
        } else if (value == 0) {
            out.put(ZERO);
        } else {
            out.put(value < 0 ? NEGATIVE : POSITIVE);
            int from = out.size();
            out.putLong(Double.doubleToRawLongBits(Math.abs(value)));
            out.put(EXACT);
            if (value < 0) {
                out.invertFrom(from);
            }
        }
    }

    static void append(KeyBytes out, Decimal128 value) {
        if (value.isNaN()) {
            out.put(NAN);
        } else if (value.isInfinite()) {
            out.put(value.isNegative() ? NEGATIVE_INFINITY : POSITIVE_INFINITY);
        } else if (isZero(value)) {
            out.put(ZERO);
        } else {
            appendExact(out, value.bigDecimalValue());
        }
    }

    /** Told apart first, because a negative zero has no BigDecimal. */
    private static boolean isZero(Decimal128 value) {
        return value.isNegative()
                ? Decimal128.fromIEEE754BIDEncoding(value.getHigh() & Long.MAX_VALUE, value.getLow())
                                .bigDecimalValue()
                                .signum()
                        == 0
                : value.bigDecimalValue().signum() == 0;
    }

    private static void appendExact(KeyBytes out, BigDecimal value) {
        BigDecimal magnitude = value.abs();
        double cut = cutToDouble(magnitude);
        BigDecimal remainder = magnitude.subtract(new BigDecimal(cut));
        out.put(value.signum() < 0 ? NEGATIVE : POSITIVE);
        int from = out.size();
        out.putLong(Double.doubleToRawLongBits(cut));
        if (remainder.signum() == 0) {
            out.put(EXACT);
        } else {
            out.put(WITH_REMAINDER);
            appendDecimal(out, remainder);
        }
        if (value.signum() < 0) {
            out.invertFrom(from);
        }
    }

    /** The largest finite double that is not above {@code magnitude}. */
    private static double cutToDouble(BigDecimal magnitude) {
        double near = magnitude.doubleValue();
        if (Double.isInfinite(near)) {
            return Double.MAX_VALUE;
        }
        return new BigDecimal(near).compareTo(magnitude) > 0 ? Math.nextDown(near) : near;
    }

    /** A positive decimal: its exponent in scientific notation, then its digits in pairs, then an end mark. */
    private static void appendDecimal(KeyBytes out, BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        BigInteger unscaled = stripped.unscaledValue();
        String digits = unscaled.toString();
        int exponent = digits.length() - 1 - stripped.scale();
        int biased = exponent + EXPONENT_BIAS;
        out.put((byte) (biased >>> 8));
        out.put((byte) biased);
        for (int i = 0; i < digits.length(); i += 2) {
            int high = digits.charAt(i) - '0';
            int low = i + 1 < digits.length() ? digits.charAt(i + 1) - '0' : 0;
            out.put((byte) (1 + 10 * high + low));
        }
        out.put((byte) 0);
    }

    /** The number at {@code in}, as an integer where it is one, otherwise as a double, or as a decimal128. */
    static BsonValue read(KeyBytesDecoder in) {
        byte sign = in.next();
        return switch (sign) {
            case NAN -> new BsonDouble(Double.NaN);
            case NEGATIVE_INFINITY -> new BsonDouble(Double.NEGATIVE_INFINITY);
            case ZERO -> new BsonInt32(0);
            case POSITIVE_INFINITY -> new BsonDouble(Double.POSITIVE_INFINITY);
            case NEGATIVE, POSITIVE -> readFinite(in, sign == NEGATIVE ? -1 : 0);
            default -> throw new MalformedBsonException("key bytes: " + sign + " is no sign of a number");
        };
    }

    /** @param mask what the bytes of a negative number are inverted with */
    private static BsonValue readFinite(KeyBytesDecoder in, int mask) {
        double cut = Double.longBitsToDouble(in.takeLong() ^ mask);
        if ((in.next() ^ mask) == EXACT) {
            double value = mask == 0 ? cut : -cut;
            boolean integer = value == Math.rint(value) && Math.abs(value) < 0x1p63;
            return integer ? integer((long) value) : new BsonDouble(value);
        }
        BigDecimal magnitude = new BigDecimal(cut).add(readDecimal(in, mask));
        BigDecimal value = mask == 0 ? magnitude : magnitude.negate();
        boolean integer = value.stripTrailingZeros().scale() <= 0 && value.abs().compareTo(TWO_TO_63) <= 0;
        return integer
                ? integer(value.longValueExact())
                : new BsonDecimal128(new Decimal128(value.stripTrailingZeros()));
    }

    private static BsonValue integer(long value) {
        return value == (int) value ? new BsonInt32((int) value) : new BsonInt64(value);
    }

    private static BigDecimal readDecimal(KeyBytesDecoder in, int mask) {
        int exponent = (((in.next() ^ mask) & 0xff) << 8 | ((in.next() ^ mask) & 0xff)) - EXPONENT_BIAS;
        StringBuilder digits = new StringBuilder();
        for (int pair = (in.next() ^ mask) & 0xff; pair != 0; pair = (in.next() ^ mask) & 0xff) {
            digits.append((pair - 1) / 10).append((pair - 1) % 10);
        }
        if (digits.isEmpty()) {
            throw new MalformedBsonException("key bytes: a decimal without digits");
        }
        return new BigDecimal(new BigInteger(digits.toString()), digits.length() - 1 - exponent);
    }
}
