package io.scatterguard.tests.fuzz;

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
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** The lowest and the highest value of each class of types (the table at the end of §4). */
final class ClassLimits {
    static final BsonValue MINUS_INFINITY = new BsonDouble(Double.NEGATIVE_INFINITY);

    private static final BsonValue LOW_ID = new BsonObjectId(new ObjectId(new byte[12]));
    private static final BsonValue LOW_POINTER = new BsonDbPointer("", new ObjectId(new byte[12]));
    private static final BsonValue EMPTY_CODE_WITH_SCOPE = new BsonJavaScriptWithScope("", new BsonDocument());

    private static final Map<Integer, Span> LIMITS = Map.ofEntries(
            Map.entry(-1, Span.point(Span.MIN)),
            Map.entry(0, Span.point(new BsonUndefined())),
            Map.entry(5, Span.point(BsonNull.VALUE)),
            Map.entry(10, Span.closed(new BsonDouble(Double.NaN), new BsonDouble(Double.POSITIVE_INFINITY))),
            Map.entry(15, below(new BsonString(""), new BsonDocument())),
            Map.entry(20, below(new BsonDocument(), new BsonArray())),
            Map.entry(25, below(new BsonArray(), new BsonBinary(new byte[0]))),
            Map.entry(30, below(new BsonBinary(new byte[0]), LOW_ID)),
            Map.entry(35, Span.closed(LOW_ID, new BsonObjectId(new ObjectId("ffffffffffffffffffffffff")))),
            Map.entry(40, Span.closed(BsonBoolean.FALSE, BsonBoolean.TRUE)),
            Map.entry(45, Span.closed(new BsonDateTime(Long.MIN_VALUE), new BsonDateTime(Long.MAX_VALUE))),
            Map.entry(47, Span.closed(new BsonTimestamp(0), new BsonTimestamp(-1L))),
            Map.entry(50, below(new BsonRegularExpression("", ""), LOW_POINTER)),
            Map.entry(60, below(new BsonJavaScript(""), EMPTY_CODE_WITH_SCOPE)),
            Map.entry(65, below(EMPTY_CODE_WITH_SCOPE, Span.MAX)),
            Map.entry(127, Span.point(Span.MAX)));

    private ClassLimits() {}

    static Span of(int typeClass) {
        Span limits = LIMITS.get(typeClass);
        if (limits == null) {
            throw new IllegalArgumentException("class of types: " + typeClass + " (expected: one with limits)");
        }
        return limits;
    }

    private static Span below(BsonValue low, BsonValue high) {
        return new Span(low, true, high, false);
    }
}
