package io.scatterguard.protocol.bson;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDocument;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Turns {@link KeyBytes} back into values, for people. Each is equal to what was encoded in the server's order, not always
 * of the same type: a symbol comes back as a string, a number as the smallest type that holds it exactly.
 */
public final class KeyBytesDecoder {
    private static final byte END = 0;

    private final byte[] bytes;
    private int at;

    private KeyBytesDecoder(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The values of a (compound) key, in the order of its fields.
     *
     * @throws MalformedBsonException if {@code key} is not made by {@link KeyBytes}
     */
    public static List<BsonValue> decode(byte[] key) {
        KeyBytesDecoder decoder = new KeyBytesDecoder(key);
        List<BsonValue> values = new ArrayList<>();
        while (decoder.at < key.length) {
            values.add(decoder.value(typeClass(decoder.next()), 0));
        }
        return values;
    }

    private static TypeClass typeClass(byte keyByte) {
        try {
            return TypeClass.ofKeyByte(keyByte);
        } catch (IllegalArgumentException e) {
            throw new MalformedBsonException(String.valueOf(e.getMessage()));
        }
    }

    private BsonValue value(TypeClass typeClass, int depth) {
        if (depth > BsonView.MAX_DEPTH) {
            throw new MalformedBsonException("key bytes: nesting of more than " + BsonView.MAX_DEPTH + " levels");
        }
        return switch (typeClass) {
            case MIN_KEY -> new BsonMinKey();
            case UNDEFINED -> new BsonUndefined();
            case NULL -> BsonNull.VALUE;
            case NUMBER -> NumberKeyBytes.read(this);
            case STRING -> new BsonString(terminated());
            case OBJECT -> members(depth);
            case ARRAY -> elements(depth);
            case BINARY -> binary();
            case OBJECT_ID -> new BsonObjectId(new ObjectId(take(12)));
            case BOOL -> BsonBoolean.valueOf(next() != 0);
            case DATE -> new BsonDateTime(takeLong() ^ Long.MIN_VALUE);
            case TIMESTAMP -> new BsonTimestamp(takeLong());
            case REGEX -> new BsonRegularExpression(cString(), cString());
            case DB_POINTER -> dbPointer();
            case CODE -> new BsonJavaScript(terminated());
            case CODE_WITH_SCOPE -> new BsonJavaScriptWithScope(terminated(), members(depth));
            case MAX_KEY -> new BsonMaxKey();
        };
    }

    private BsonDocument members(int depth) {
        BsonDocument members = new BsonDocument();
        for (byte b = next(); b != END; b = next()) {
            TypeClass typeClass = typeClass(b);
            members.append(cString(), value(typeClass, depth + 1));
        }
        return members;
    }

    private BsonArray elements(int depth) {
        BsonArray elements = new BsonArray();
        for (byte b = next(); b != END; b = next()) {
            elements.add(value(typeClass(b), depth + 1));
        }
        return elements;
    }

    private BsonBinary binary() {
        int length = takeInt();
        byte subtype = next();
        return new BsonBinary(subtype, take(length));
    }

    /** As in BSON: the length of the name, the name with its end, an ObjectId. */
    private BsonDbPointer dbPointer() {
        byte[] raw = take(takeInt());
        if (raw.length < 4 + 1 + 12) {
            throw new MalformedBsonException("key bytes: a DBPointer of " + raw.length + " bytes");
        }
        int id = raw.length - 12;
        String namespace = new String(raw, 4, id - 5, StandardCharsets.UTF_8);
        return new BsonDbPointer(namespace, new ObjectId(Arrays.copyOfRange(raw, id, raw.length)));
    }

    /** A string in which 00 FF stands for a zero byte, and 00 for the end. */
    private String terminated() {
        byte[] string = new byte[bytes.length - at];
        int length = 0;
        while (true) {
            byte b = next();
            if (b == END) {
                boolean escaped = at < bytes.length && bytes[at] == (byte) 0xff;
                if (!escaped) {
                    return new String(string, 0, length, StandardCharsets.UTF_8);
                }
                at++;
            }
            string[length++] = b;
        }
    }

    private String cString() {
        int from = at;
        while (next() != END) {
            // The end is looked for.
        }
        return new String(bytes, from, at - 1 - from, StandardCharsets.UTF_8);
    }

    byte next() {
        return take(1)[0];
    }

    private int takeInt() {
        return (int) takeUnsigned(4);
    }

    long takeLong() {
        return takeUnsigned(8);
    }

    private long takeUnsigned(int count) {
        long number = 0;
        for (byte b : take(count)) {
            number = (number << 8) | (b & 0xff);
        }
        return number;
    }

    private byte[] take(int count) {
        if (count < 0 || count > bytes.length - at) {
            throw new MalformedBsonException(
                    "key bytes: " + (bytes.length - at) + " bytes left (expected: " + count + ")");
        }
        at += count;
        return Arrays.copyOfRange(bytes, at - count, at);
    }
}
