package io.scatterguard.tests.fuzz;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/**
 * The values of one collection: a few that its bounds, its documents and its filters share, so that they meet, and now and
 * then any other. Proven values are those that {@link Matcher} is proven on.
 */
final class Values {
    private enum Flavour {
        NUMBERS,
        STRINGS,
        MIXED
    }

    private static final long[] CENTRES = {0, 0, 100, -7, 1L << 31, 1L << 40};

    private final Dice dice;
    private final boolean proven;
    private final Flavour flavour;
    private final long centre;
    private final List<BsonValue> pool = new ArrayList<>();

    Values(Dice dice, boolean proven) {
        this.dice = dice;
        this.proven = proven;
        this.flavour = dice.pick(Flavour.NUMBERS, Flavour.NUMBERS, Flavour.STRINGS, Flavour.MIXED);
        this.centre = CENTRES[dice.below(CENTRES.length)];
        for (int i = 0; i < 14; i++) {
            pool.add(fresh());
        }
    }

    /** A value that may be stored in the key. */
    BsonValue key() {
        BsonValue value = operand();
        while (value.isArray() || value.getBsonType() == org.bson.BsonType.UNDEFINED) {
            value = operand();
        }
        return value;
    }

    /** A value of the pool, mostly, or one beside it. */
    BsonValue operand() {
        int roll = dice.below(100);
        return roll < 78 ? dice.oneOf(pool) : roll < 88 ? fresh() : roll < 92 ? BsonNull.VALUE : any();
    }

    private BsonValue fresh() {
        return switch (flavour) {
            case NUMBERS -> number();
            case STRINGS -> dice.chance(90) ? string() : number();
            case MIXED -> dice.chance(40) ? dice.chance(50) ? number() : string() : any();
        };
    }

    private BsonValue number() {
        long whole = centre + dice.between(-6, 6);
        // Beyond this, the matcher is proven on integers only.
        int choice = proven && Math.abs(whole) >= 1 << 20 ? 0 : dice.below(8);
        return switch (choice) {
            case 0 -> new BsonInt64(whole);
            case 1 -> new BsonDouble(whole);
            case 2 -> new BsonDouble(whole + 0.5);
            case 3 -> new BsonDecimal128(new Decimal128(whole));
            default -> (int) whole == whole ? new BsonInt32((int) whole) : new BsonInt64(whole);
        };
    }

    private BsonString string() {
        StringBuilder text = new StringBuilder();
        for (int i = dice.below(4); i > 0; i--) {
            text.append(dice.pick('a', 'b', 'c', 'A', 'B'));
        }
        return new BsonString(text.toString());
    }

    /** A value of any type. */
    private BsonValue any() {
        return dice.chance(75) ? common() : proven ? string() : rare();
    }

    private BsonValue common() {
        return switch (dice.below(13)) {
            case 0 -> BsonBoolean.valueOf(dice.chance(50));
            case 1 -> new BsonDateTime(dice.between(-3, 3));
            case 2 -> new BsonTimestamp(dice.pick(0, 1, 2, -1), dice.between(0, 2));
            case 3 -> new BsonObjectId(new ObjectId(dice.pick("00", "01", "7f", "ff") + "0000000000000000000001"));
            case 4 -> new BsonBinary((byte) 0, new byte[dice.below(3)]);
            case 5 -> object();
            case 6 -> new BsonDocument("b", object());
            case 7 -> BsonNull.VALUE;
            case 8 -> dice.pick(Span.MIN, Span.MAX);
            case 9 -> new BsonDouble(dice.pick(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
            case 10 -> array();
            case 11 -> string();
            default -> number();
        };
    }

    private BsonDocument object() {
        BsonDocument object = new BsonDocument();
        for (int i = dice.between(0, 2); i > 0; i--) {
            object.append(dice.pick("b", "c"), dice.chance(70) ? number() : string());
        }
        return object;
    }

    private BsonArray array() {
        BsonArray array = new BsonArray();
        for (int i = dice.below(3); i > 0; i--) {
            array.add(dice.chance(80) ? dice.chance(50) ? number() : string() : object());
        }
        return array;
    }

    /** What the matcher cannot judge. */
    private BsonValue rare() {
        return switch (dice.below(11)) {
            case 0 -> new BsonDouble(Double.NaN);
            case 1 ->
                new BsonDecimal128(dice.pick(Decimal128.NaN, Decimal128.POSITIVE_INFINITY, Decimal128.NEGATIVE_ZERO));
            case 2 -> new BsonBinary(dice.<Integer>pick(2, 4, 5, 128).byteValue(), new byte[dice.below(17)]);
            case 3 -> new BsonSymbol(string().getValue());
            case 4 -> new BsonJavaScript(string().getValue());
            case 5 -> new BsonJavaScriptWithScope(string().getValue(), object());
            case 6 -> new BsonRegularExpression(dice.pick("^a", "b", "^ab?"), dice.pick("", "i"));
            case 7 -> new BsonDouble(dice.pick(0x1p63, -0x1p63, 0.1, -0.0, Double.MIN_VALUE, 1e300));
            case 8 -> new BsonInt64(dice.pick(Long.MIN_VALUE, Long.MAX_VALUE, (1L << 53) + 1));
            case 9 -> new BsonDecimal128(Decimal128.parse(dice.pick("0.1", "2.5", "1E+200", "9223372036854775807.5")));
            default -> new BsonString(dice.pick("\u00e9", "\ud83d\ude00", "\uffff", "a\u0000b", "~"));
        };
    }

    /** An undefined, rarely, for a bound: nobody can ask for it. */
    BsonValue bound() {
        return !proven && dice.chance(1) ? new BsonUndefined() : key();
    }
}
