package io.scatterguard.proxy.routing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinaryWriter;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
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
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Random documents of a few fields, most of them plain, and everything near to plain. */
final class PlainFilters {
    private static final BsonValueCodec CODEC = new BsonValueCodec();
    private static final List<String> NAMES = List.of(
            "a", "b", "c", "h", "é", "x", "y", "_id", "a.b", "a.b.c", "a.é", "b.x", "aa", "", "a.", "é.a", "$comment");

    private final Random random;

    PlainFilters(Random random) {
        this.random = random;
    }

    /** A document whose fields may stand twice; 0 to 6 of them, most often in the order of {@code key}. */
    RawBsonDocument next(List<String> key) {
        List<Map.Entry<String, BsonValue>> fields = new ArrayList<>();
        for (String path : key) {
            if (random.nextInt(10) > 0) {
                fields.add(Map.entry(path, value()));
            }
        }
        int others = Math.max(0, random.nextInt(6) - 2);
        for (int i = 0; i < others; i++) {
            int at = random.nextInt(fields.size() + 1);
            fields.add(at, Map.entry(NAMES.get(random.nextInt(NAMES.size())), value()));
        }
        if (random.nextInt(4) == 0) {
            Collections.shuffle(fields, random);
        }
        return document(fields);
    }

    private static RawBsonDocument document(List<Map.Entry<String, BsonValue>> fields) {
        BasicOutputBuffer out = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(out)) {
            writer.writeStartDocument();
            for (Map.Entry<String, BsonValue> field : fields) {
                writer.writeName(field.getKey());
                CODEC.encode(writer, field.getValue(), EncoderContext.builder().build());
            }
            writer.writeEndDocument();
        }
        return new RawBsonDocument(out.toByteArray());
    }

    /** Any value that may stand in a key; small, so that the same come again. */
    BsonValue scalar() {
        List<Supplier<BsonValue>> kinds = List.of(
                () -> new BsonInt32(random.nextInt(10) - 5),
                () -> new BsonInt64(random.nextLong()),
                () -> new BsonInt64(random.nextInt(10)),
                () -> new BsonDouble(random.nextInt(5) / 2.0),
                () -> new BsonDouble(random.nextBoolean() ? Double.NaN : -0.0),
                () -> new BsonDecimal128(new Decimal128(random.nextInt(5))),
                () -> new BsonString(random.nextBoolean() ? "a\0b" : "s" + random.nextInt(5)),
                () -> new BsonString("s".repeat(random.nextInt(100))),
                BsonNull::new,
                () -> BsonBoolean.valueOf(random.nextBoolean()),
                () -> new BsonDateTime(random.nextInt(5) - 2),
                () -> new BsonTimestamp(random.nextInt(3), random.nextInt(3)),
                () -> new BsonObjectId(new ObjectId(random.nextInt(5), 7)),
                () -> new BsonBinary((byte) random.nextInt(3), new byte[random.nextInt(3)]));
        return kinds.get(random.nextInt(kinds.size())).get();
    }

    private BsonValue value() {
        return random.nextInt(25) == 0 ? other() : scalar();
    }

    private BsonValue other() {
        List<BsonValue> values = List.of(
                new BsonMinKey(),
                new BsonMaxKey(),
                new BsonUndefined(),
                new BsonSymbol("s1"),
                new BsonJavaScript("1"),
                new BsonRegularExpression("^s"),
                new BsonArray(),
                new BsonArray(List.of(new BsonInt32(1))),
                new BsonDocument(),
                new BsonDocument("b", new BsonInt32(1)),
                new BsonDocument("b", new BsonDocument("$x", new BsonInt32(1))),
                new BsonDocument("$ref", new BsonString("c")),
                new BsonDocument("$eq", scalar()),
                new BsonDocument("$gt", scalar()),
                new BsonDocument("$ne", scalar()),
                new BsonDocument("$in", new BsonArray(List.of(scalar(), scalar()))),
                new BsonDocument("$unheardOf", new BsonInt32(1)));
        return values.get(random.nextInt(values.size()));
    }
}
