package io.scatterguard.proxy.config;

import java.util.SplittableRandom;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
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

/** Random values of every BSON type. */
record RandomValues(SplittableRandom random) {
    private static final String[] WORDS = {
        "",
        "1",
        "1.0",
        "null",
        "true",
        "no",
        "~",
        "$x",
        "a.b",
        "a b",
        "$oid",
        "# x",
        "é",
        "\ud83d\ude00",
        "\u0000\u0085\ufeff"
    };

    BsonValue next(int depth) {
        return switch (random.nextInt(depth > 0 ? 21 : 19)) {
            case 0 -> new BsonInt32(random.nextInt());
            case 1 -> new BsonInt32(random.nextInt(10));
            case 2 -> new BsonInt64(random.nextLong());
            case 3 -> new BsonInt64(random.nextInt(10));
            case 4 -> new BsonDouble(Double.longBitsToDouble(random.nextLong() & 0xffefffffffffffffL));
            case 5 -> new BsonDouble(random.nextInt(10));
            case 6 -> new BsonString(text());
            case 7 -> new BsonDecimal128(decimal());
            case 8 -> new BsonDateTime(random.nextLong() >> random.nextInt(64));
            case 9 -> new BsonObjectId(new ObjectId(bytes(12)));
            case 10 -> new BsonBinary((byte) random.nextInt(256), bytes(random.nextInt(20)));
            case 11 -> new BsonTimestamp(random.nextLong());
            case 12 -> new BsonRegularExpression(text().replace("\u0000", ""), random.nextBoolean() ? "im" : "");
            case 13 -> BsonBoolean.valueOf(random.nextBoolean());
            case 14 -> random.nextBoolean() ? new BsonMinKey() : new BsonMaxKey();
            case 15 -> random.nextBoolean() ? BsonNull.VALUE : new BsonUndefined();
            case 16 -> random.nextBoolean() ? new BsonSymbol(text()) : new BsonJavaScript(text());
            case 17 -> new BsonJavaScriptWithScope(text(), document(1));
            case 18 -> new BsonDbPointer(text(), new ObjectId(bytes(12)));
            case 19 -> document(depth - 1);
            default -> array(depth - 1);
        };
    }

    private BsonDocument document(int depth) {
        BsonDocument document = new BsonDocument();
        for (int i = random.nextInt(4); i > 0; i--) {
            document.append(text().replace("\u0000", ""), next(depth));
        }
        return document;
    }

    private BsonArray array(int depth) {
        BsonArray array = new BsonArray();
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(next(depth));
        }
        return array;
    }

    private Decimal128 decimal() {
        return switch (random.nextInt(4)) {
            case 0 -> Decimal128.NaN;
            case 1 -> Decimal128.NEGATIVE_INFINITY;
            case 2 -> Decimal128.parse("%d.%02d".formatted(random.nextInt(100), random.nextInt(100)));
            default -> Decimal128.parse(random.nextLong() + "E" + random.nextInt(-6000, 6000));
        };
    }

    private String text() {
        StringBuilder text = new StringBuilder(WORDS[random.nextInt(WORDS.length)]);
        for (int i = random.nextInt(12); i > 0; i--) {
            char c = (char) random.nextInt(random.nextBoolean() ? 128 : 0x10000);
            text.append(Character.isSurrogate(c) ? '?' : c);
        }
        return text.toString();
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
