package io.scatterguard.protocol.bson;

import org.bson.types.Decimal128;

/**
 * The bits of a decimal128, which has spellings that no arithmetic gives: a coefficient of more than 34 digits. The server's
 * decimal library takes such a number for a zero, as IEEE 754-2008 (3.5.2) has it; the driver's class for some of them does
 * not.
 */
final class DecimalBits {
    /** 10^34 − 1, the largest coefficient, in two parts. */
    private static final long MAX_COEFFICIENT_HIGH = 0x1_ed09_bead_87c0L;

    private static final long MAX_COEFFICIENT_LOW = 0x378d_8e63_ffff_ffffL;

    private static final long COEFFICIENT_HIGH = 0x1_ffff_ffff_ffffL;
    private static final int INFINITE_OR_NAN = 0x1e;

    private DecimalBits() {}

    /** The number, a coefficient that is too large read as zero. */
    static Decimal128 decode(long high, long low) {
        return isFinite(high) && isTooLarge(high, low)
                ? Decimal128.fromIEEE754BIDEncoding(high & ~COEFFICIENT_HIGH, 0)
                : Decimal128.fromIEEE754BIDEncoding(high, low);
    }

    /** Whether the number is a zero, of whatever sign and exponent. */
    static boolean isZero(long high, long low) {
        boolean zero = (high & COEFFICIENT_HIGH) == 0 && low == 0;
        return isFinite(high) && (zero || isLongForm(high) || isTooLarge(high, low));
    }

    private static boolean isFinite(long high) {
        return (high >>> 58 & 0x1f) < INFINITE_OR_NAN;
    }

    /** The spelling for coefficients beyond 113 bits, all of which are too large; the driver's class knows that. */
    private static boolean isLongForm(long high) {
        return (high >>> 61 & 3) == 3;
    }

    private static boolean isTooLarge(long high, long low) {
        long top = high & COEFFICIENT_HIGH;
        return !isLongForm(high)
                && (top > MAX_COEFFICIENT_HIGH
                        || (top == MAX_COEFFICIENT_HIGH && Long.compareUnsigned(low, MAX_COEFFICIENT_LOW) > 0));
    }
}
