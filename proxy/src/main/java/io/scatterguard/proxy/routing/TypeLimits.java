package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.TypeClass;
import java.util.EnumMap;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** The lowest and the highest value of each class of types, as type bracketing uses them (targeting semantics §4). */
final class TypeLimits {
    static final byte[] MINUS_INFINITY = bytes(new BsonDouble(Double.NEGATIVE_INFINITY));
    static final byte[] NAN = bytes(new BsonDouble(Double.NaN));
    static final byte[] EMPTY_ARRAY = bytes(new BsonArray());

    private static final Map<TypeClass, Interval> LIMITS = limits();

    private TypeLimits() {}

    /** All values of a class; for numbers from NaN. */
    static Interval of(TypeClass typeClass) {
        Interval limits = LIMITS.get(typeClass);
        return limits == null ? Interval.closed(Interval.MIN_KEY, Interval.MAX_KEY) : limits;
    }

    private static Map<TypeClass, Interval> limits() {
        byte[] emptyString = bytes(new BsonString(""));
        byte[] emptyObject = bytes(new BsonDocument());
        byte[] emptyBinary = bytes(new BsonBinary(new byte[0]));
        byte[] lowId = bytes(new BsonObjectId(new ObjectId(new byte[12])));
        byte[] highId = bytes(new BsonObjectId(new ObjectId("ffffffffffffffffffffffff")));
        byte[] emptyRegex = bytes(new BsonRegularExpression("", ""));
        byte[] lowPointer = bytes(new BsonDbPointer("", new ObjectId(new byte[12])));
        byte[] emptyCode = bytes(new BsonJavaScript(""));
        byte[] emptyScoped = bytes(new BsonJavaScriptWithScope("", new BsonDocument()));
        Map<TypeClass, Interval> limits = new EnumMap<>(TypeClass.class);
        limits.put(TypeClass.MIN_KEY, Interval.point(Interval.MIN_KEY));
        limits.put(TypeClass.UNDEFINED, Interval.point(KeyBytes.of(BsonValueView.UNDEFINED)));
        limits.put(TypeClass.NULL, Interval.point(KeyBytes.of(BsonValueView.NULL)));
        limits.put(TypeClass.NUMBER, Interval.closed(NAN, bytes(new BsonDouble(Double.POSITIVE_INFINITY))));
        limits.put(TypeClass.STRING, open(emptyString, emptyObject));
        limits.put(TypeClass.OBJECT, open(emptyObject, EMPTY_ARRAY));
        limits.put(TypeClass.ARRAY, open(EMPTY_ARRAY, emptyBinary));
        limits.put(TypeClass.BINARY, open(emptyBinary, lowId));
        limits.put(TypeClass.OBJECT_ID, Interval.closed(lowId, highId));
        limits.put(TypeClass.BOOL, Interval.closed(bytes(BsonBoolean.FALSE), bytes(BsonBoolean.TRUE)));
        limits.put(
                TypeClass.DATE,
                Interval.closed(bytes(new BsonDateTime(Long.MIN_VALUE)), bytes(new BsonDateTime(Long.MAX_VALUE))));
        limits.put(TypeClass.TIMESTAMP, Interval.closed(bytes(new BsonTimestamp(0, 0)), bytes(new BsonTimestamp(-1L))));
        limits.put(TypeClass.REGEX, open(emptyRegex, lowPointer));
        limits.put(TypeClass.DB_POINTER, open(lowPointer, emptyCode));
        limits.put(TypeClass.CODE, open(emptyCode, emptyScoped));
        limits.put(TypeClass.CODE_WITH_SCOPE, open(emptyScoped, Interval.MAX_KEY));
        limits.put(TypeClass.MAX_KEY, Interval.point(Interval.MAX_KEY));
        return limits;
    }

    private static Interval open(byte[] low, byte[] high) {
        return new Interval(low, true, high, false);
    }

    private static byte[] bytes(BsonValue value) {
        return KeyBytes.of(BsonValueView.of(value));
    }
}
