package io.scatterguard.protocol.bson;

/**
 * Walks over {@link KeyBytes}, value by value, and tells each one's class of types; the values themselves are not decoded.
 * Not thread-safe.
 */
public final class KeyReader {
    private final byte[] key;
    private int at;

    /** @param key bytes made by {@link KeyBytes}; borrowed */
    public KeyReader(byte[] key) {
        this.key = key;
    }

    public boolean hasNext() {
        return at < key.length;
    }

    /**
     * The class of the next value, which is passed over.
     *
     * @throws IllegalArgumentException if the bytes were not made by {@link KeyBytes}
     */
    public TypeClass next() {
        TypeClass type = TypeClass.ofKeyByte(key[at++]);
        skipBody(type);
        return type;
    }

    private void skipBody(TypeClass type) {
        switch (type) {
            case MIN_KEY, MAX_KEY, NULL, UNDEFINED -> {}
            case NUMBER -> at = NumberKeyBytes.end(key, at);
            case STRING, CODE -> skipTerminated();
            case OBJECT -> skipMembers(true);
            case ARRAY -> skipMembers(false);
            case BINARY -> at += Integer.BYTES + 1 + length();
            case DB_POINTER -> at += Integer.BYTES + length();
            case OBJECT_ID -> at += 12;
            case BOOL -> at += 1;
            case DATE, TIMESTAMP -> at += Long.BYTES;
            case REGEX -> {
                skipCString();
                skipCString();
            }
            case CODE_WITH_SCOPE -> {
                skipTerminated();
                skipMembers(true);
            }
        }
    }

    /** Big-endian, as it stands at the present position. */
    private int length() {
        int length = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            length = (length << Byte.SIZE) | (key[at + i] & 0xff);
        }
        return length;
    }

    /** The end is 00; a 00 that FF follows is inside. */
    private void skipTerminated() {
        while (key[at] != 0 || (at + 1 < key.length && key[at + 1] == (byte) 0xff)) {
            at += key[at] == 0 ? 2 : 1;
        }
        at++;
    }

    private void skipCString() {
        while (key[at] != 0) {
            at++;
        }
        at++;
    }

    private void skipMembers(boolean withNames) {
        while (key[at] != 0) {
            TypeClass type = TypeClass.ofKeyByte(key[at++]);
            if (withNames) {
                skipCString();
            }
            skipBody(type);
        }
        at++;
    }
}
