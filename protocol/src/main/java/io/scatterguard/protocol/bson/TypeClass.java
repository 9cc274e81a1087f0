package io.scatterguard.protocol.bson;

import org.bson.BsonType;

/**
 * The classes of types in the server's order: values of a lower class sort before all values of a higher one
 * (targeting semantics §4).
 */
public enum TypeClass {
    MIN_KEY(-1),
    UNDEFINED(0),
    NULL(5),
    NUMBER(10),
    /** Strings and symbols. */
    STRING(15),
    OBJECT(20),
    ARRAY(25),
    BINARY(30),
    OBJECT_ID(35),
    BOOL(40),
    DATE(45),
    TIMESTAMP(47),
    REGEX(50),
    DB_POINTER(55),
    CODE(60),
    CODE_WITH_SCOPE(65),
    MAX_KEY(127);

    private static final TypeClass[] VALUES = values();

    private final int number;

    TypeClass(int number) {
        this.number = number;
    }

    /** The server's number for the class, which also goes into the hash of a hashed key. */
    public int number() {
        return number;
    }

    /** The first byte of the key bytes of every value of this class: ascending, never 0 or 255. */
    byte keyByte() {
        return (byte) (0x11 + number);
    }

    /**
     * The class whose key bytes begin with {@code first}.
     *
     * @throws IllegalArgumentException if none does
     */
    static TypeClass ofKeyByte(byte first) {
        for (TypeClass type : VALUES) {
            if (type.keyByte() == first) {
                return type;
            }
        }
        throw new IllegalArgumentException("key bytes: class byte " + first + " (expected: that of a type class)");
    }

    public static TypeClass of(BsonType type) {
        return switch (type) {
            case MIN_KEY -> MIN_KEY;
            case UNDEFINED, END_OF_DOCUMENT -> UNDEFINED;
            case NULL -> NULL;
            case INT32, INT64, DOUBLE, DECIMAL128 -> NUMBER;
            case STRING, SYMBOL -> STRING;
            case DOCUMENT -> OBJECT;
            case ARRAY -> ARRAY;
            case BINARY -> BINARY;
            case OBJECT_ID -> OBJECT_ID;
            case BOOLEAN -> BOOL;
            case DATE_TIME -> DATE;
            case TIMESTAMP -> TIMESTAMP;
            case REGULAR_EXPRESSION -> REGEX;
            case DB_POINTER -> DB_POINTER;
            case JAVASCRIPT -> CODE;
            case JAVASCRIPT_WITH_SCOPE -> CODE_WITH_SCOPE;
            case MAX_KEY -> MAX_KEY;
        };
    }
}
