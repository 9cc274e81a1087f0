package io.scatterguard.tests.fuzz.wire;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.MalformedBsonException;
import java.nio.charset.StandardCharsets;

/** Reads everything that a view can be asked, down to a depth. */
final class BsonWalk {
    private static final int MAX_DEPTH = 20;

    private int values;

    /** Reads {@code document}, which is borrowed, and returns how many values were read. */
    static int over(BsonView document) {
        BsonWalk walk = new BsonWalk();
        walk.document(document, 0);
        return walk.values;
    }

    private void document(BsonView document, int depth) {
        BsonCursor cursor = document.cursor();
        while (cursor.next()) {
            values++;
            name(document, cursor);
            Framing.require(
                    cursor.elementOffset() >= document.offset()
                            && cursor.elementLength() > 0
                            && cursor.elementOffset() + cursor.elementLength()
                                    < document.offset() + document.sizeBytes(),
                    "an element within its document",
                    cursor.elementOffset() + " + " + cursor.elementLength());
            value(cursor.value(), depth);
        }
    }

    private static void name(BsonView document, BsonCursor cursor) {
        String name = cursor.name();
        if (!cursor.nameIsAscii()) {
            return;
        }
        Framing.require(name.getBytes(StandardCharsets.US_ASCII).length == cursor.nameLength(), "its length", name);
        Framing.require(cursor.nameEquals(name) && cursor.nameStartsWith(name), "a name that equals itself", name);
        BsonValueView first = document.get(name);
        Framing.require(first != null, "a value that is found by its name", name);
    }

    private void value(BsonValueView value, int depth) {
        switch (value.type()) {
            case STRING -> {
                String text = value.string();
                boolean ascii = text.length() == value.length() - 5
                        && StandardCharsets.US_ASCII.newEncoder().canEncode(text);
                Framing.require(!ascii || value.stringEquals(text), "a string that equals itself", text);
            }
            case SYMBOL, JAVASCRIPT -> value.string();
            case REGULAR_EXPRESSION ->
                Framing.require(
                        value.regexPattern() != null && value.regexOptions() != null, "a pattern and options", value);
            case BINARY -> Framing.require(value.binary().length <= value.length(), "bytes of its own", value);
            case INT32, INT64, DOUBLE, DECIMAL128 -> value.numberAsLong();
            case DOCUMENT, ARRAY -> {
                if (depth < MAX_DEPTH) {
                    document(value.document(), depth + 1);
                }
            }
            default -> value.isTruthy();
        }
        asKey(value);
    }

    /** What is compared in a key is the same however often it is asked. */
    private static void asKey(BsonValueView value) {
        try {
            byte[] key = KeyBytes.of(value);
            Framing.require(KeyBytes.compare(key, KeyBytes.of(value)) == 0, "a key that equals itself", value);
        } catch (MalformedBsonException e) {
            // Something inside the value; the walk comes upon it by itself.
        }
    }
}
