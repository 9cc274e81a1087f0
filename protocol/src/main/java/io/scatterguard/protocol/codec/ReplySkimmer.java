package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpReply;
import org.bson.BsonType;

/**
 * Reads the outcome of a command from its reply as the reply passes, in constant memory: it walks the elements of the
 * body, of {@code cursor}, of the batch and of {@code writeConcernError}, steps over every value, and may be interrupted at any byte. A reply that is not
 * as it should be makes it give up; it never fails.
 *
 * <pre>
 * PREFIX → KIND → DOCUMENT → TYPE ⇄ NAME → NUMBER | LENGTH | HASH | SKIP | C_STRING → TYPE …
 *            ↑         ↘ SECTION                                  end of body ↘
 *            └────────────────────────────────────────────────────────────────┘
 * </pre>
 */
public final class ReplySkimmer {
    private enum State {
        /** Before the first section of an OP_MSG, or before the document of an OP_REPLY. */
        PREFIX,
        /** Before the kind of a section. */
        KIND,
        /** Before the length of a section of kind 1, which is stepped over. */
        SECTION,
        /** Before the length of a document or array that is walked. */
        DOCUMENT,
        /** Before the type of an element. */
        TYPE,
        /** In the name of an element. */
        NAME,
        /** In a number that is wanted. */
        NUMBER,
        /** Before the length of a value that is stepped over. */
        LENGTH,
        /** In the digits of a hash that is wanted. */
        HASH,
        /** In bytes that are stepped over. */
        SKIP,
        /** In the two C strings of a regex. */
        C_STRING,
        /** No longer looking: the reply has broken a rule. */
        GIVEN_UP
    }

    /** Depths; the document at {@code INNER} is {@code cursor} or {@code writeConcernError}. */
    private static final int BODY = 0;

    private static final int INNER = 1;
    private static final int BATCH = 2;

    private final SkimmedName name = new SkimmedName();
    /** The position just after each document that is being walked. */
    private final int[] ends = new int[BATCH + 1];

    private State state = State.GIVEN_UP;
    private boolean opMsg;
    /** Where in the message the next byte stands. */
    private int position;
    /** Where the sections end. */
    private int limit;

    private int depth = -1;
    private SkimmedReply.Place inner = SkimmedReply.Place.CURSOR;
    private BsonType type = BsonType.END_OF_DOCUMENT;
    private int left;
    private long word;
    private int wordBytes;
    private boolean bodyEnded;
    private SkimmedReply reply = SkimmedReply.nothing();

    /** Begins a reply. Its bytes, header included, follow by {@link #add}. */
    public void begin(MessageHeader header, int flagBits) {
        opMsg = header.opCode() == OpCode.OP_MSG;
        boolean readable = opMsg || header.opCode() == OpCode.OP_REPLY;
        boolean checksum = opMsg && (flagBits & OpMsg.CHECKSUM_PRESENT) != 0;
        limit = header.messageLength() - (checksum ? 4 : 0);
        position = 0;
        depth = -1;
        word = 0;
        wordBytes = 0;
        bodyEnded = false;
        reply = SkimmedReply.nothing();
        left = MessageHeader.SIZE_BYTES + (opMsg ? 4 : OpReply.PREFIX_BYTES);
        state = readable && left < limit ? State.PREFIX : State.GIVEN_UP;
    }

    /** The next part of the reply. Borrows {@code bytes}. */
    public void add(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end && state != State.GIVEN_UP && position < limit) {
            int before = at;
            at = step(bytes, at, end);
            position += at - before;
        }
    }

    /**
     * What the reply said, once all its bytes were added.
     *
     * @return nothing at all if it was not understood to its end
     */
    public SkimmedReply reply() {
        boolean whole = state == State.KIND && bodyEnded && position == limit;
        return whole ? reply : SkimmedReply.nothing();
    }

    /** Takes at least one byte; returns where the next one is. */
    private int step(ByteBuf bytes, int at, int end) {
        return switch (state) {
            case PREFIX, SKIP -> skip(at, end);
            case KIND -> kind(bytes.getByte(at), at);
            case SECTION, DOCUMENT, LENGTH -> length(bytes, at, end);
            case TYPE -> type(bytes.getByte(at), at);
            case NAME -> name(bytes, at, end);
            case NUMBER -> number(bytes, at, end);
            case HASH -> hash(bytes, at, end);
            case C_STRING -> cString(bytes, at, end);
            case GIVEN_UP -> end;
        };
    }

    private int skip(int at, int end) {
        int count = Math.min(left, end - at);
        left -= count;
        if (left == 0) {
            if (depth >= 0) {
                state = State.TYPE;
            } else {
                state = opMsg ? State.KIND : State.DOCUMENT;
            }
        }
        return at + count;
    }

    private int kind(byte kind, int at) {
        // The OP_REPLY to a command has one document and nothing after it.
        if (opMsg && kind == 1) {
            state = State.SECTION;
        } else {
            state = opMsg && kind == 0 && !bodyEnded ? State.DOCUMENT : State.GIVEN_UP;
        }
        return at + 1;
    }

    /** Takes {@code count} more bytes of a little-endian number into {@link #word}. */
    private void fill(ByteBuf bytes, int at, int count) {
        int from = wordBytes;
        for (int i = from; i < from + count; i++) {
            word |= (bytes.getByte(at + i - from) & 0xffL) << (8 * i);
        }
        wordBytes = from + count;
    }

    private int length(ByteBuf bytes, int at, int end) {
        int count = Math.min(4 - wordBytes, end - at);
        fill(bytes, at, count);
        if (wordBytes == 4) {
            int length = (int) takeWord();
            // Where the length itself begins.
            int begin = position + count - 4;
            lengthKnown(length, begin);
        }
        return at + count;
    }

    private void lengthKnown(int length, int begin) {
        if (state == State.DOCUMENT) {
            enter(length, begin);
        } else if (state == State.SECTION) {
            skipValue(length - 4, limit - begin - 4);
        } else {
            // What a value has besides the bytes that its length counts.
            int more = switch (type) {
                case DOCUMENT, ARRAY, JAVASCRIPT_WITH_SCOPE -> -4;
                case BINARY -> 1;
                case DB_POINTER -> 12;
                default -> 0;
            };
            boolean sane = length >= 0 && length <= limit;
            int available = ends[depth] - 1 - begin - 4;
            skipValue(sane ? length + more : -1, available);
            if (state == State.SKIP && SkimmedReply.wantsHash(place(), name, type, length)) {
                state = State.HASH;
            }
        }
    }

    private void enter(int length, int begin) {
        int available = (depth < 0 ? limit : ends[depth] - 1) - begin;
        if (length < 5 || length > available) {
            state = State.GIVEN_UP;
            return;
        }
        depth++;
        ends[depth] = begin + length;
        if (depth == BATCH) {
            reply.beginBatch();
        }
        state = State.TYPE;
    }

    /** Steps over the rest of a value of {@code count} bytes, if it fits. */
    private void skipValue(int count, int available) {
        if (count < 0 || count > available) {
            state = State.GIVEN_UP;
        } else if (count == 0) {
            state = depth >= 0 ? State.TYPE : State.KIND;
        } else {
            left = count;
            state = State.SKIP;
        }
    }

    private int type(byte code, int at) {
        boolean last = position + 1 == ends[depth];
        if (code == 0) {
            leave(last);
            return at + 1;
        }
        BsonType found = BsonType.findByValue(code & 0xff);
        if (found == null || last) {
            state = State.GIVEN_UP;
        } else {
            type = found;
            name.clear();
            state = State.NAME;
        }
        return at + 1;
    }

    private void leave(boolean atEnd) {
        if (!atEnd) {
            state = State.GIVEN_UP;
        } else if (depth-- == BODY) {
            bodyEnded = true;
            state = State.KIND;
        } else {
            state = State.TYPE;
        }
    }

    private int name(ByteBuf bytes, int at, int end) {
        int next = at;
        while (next < end) {
            byte b = bytes.getByte(next++);
            if (b == 0) {
                named(position + next - at);
                break;
            }
            name.add(b);
        }
        return next;
    }

    /** The name is whole; the value begins at {@code begin}. */
    private void named(int begin) {
        int available = ends[depth] - 1 - begin;
        if (depth == BATCH) {
            reply.countDocument();
        } else if (isWalked()) {
            state = State.DOCUMENT;
            return;
        } else if (SkimmedReply.wants(place(), name, type)) {
            left = SkimmedReply.valueBytes(type);
            state = left <= available ? State.NUMBER : State.GIVEN_UP;
            return;
        }
        switch (type) {
            case END_OF_DOCUMENT, UNDEFINED, NULL, MIN_KEY, MAX_KEY -> skipValue(0, available);
            case BOOLEAN -> skipValue(1, available);
            case INT32 -> skipValue(4, available);
            case DOUBLE, DATE_TIME, TIMESTAMP, INT64 -> skipValue(8, available);
            case OBJECT_ID -> skipValue(12, available);
            case DECIMAL128 -> skipValue(16, available);
            case STRING, SYMBOL, JAVASCRIPT, DB_POINTER, DOCUMENT, ARRAY, JAVASCRIPT_WITH_SCOPE, BINARY ->
                state = State.LENGTH;
            case REGULAR_EXPRESSION -> {
                left = 2;
                state = State.C_STRING;
            }
        }
    }

    /** Whether the value that begins here is walked too; notes which one it is. */
    private boolean isWalked() {
        if (depth == BODY && type == BsonType.DOCUMENT) {
            boolean cursor = name.is("cursor");
            inner = cursor ? SkimmedReply.Place.CURSOR : SkimmedReply.Place.WRITE_CONCERN_ERROR;
            return cursor || name.is("writeConcernError");
        }
        return depth == INNER
                && inner == SkimmedReply.Place.CURSOR
                && type == BsonType.ARRAY
                && (name.is("firstBatch") || name.is("nextBatch"));
    }

    private SkimmedReply.Place place() {
        return depth == BODY ? SkimmedReply.Place.BODY : inner;
    }

    private int number(ByteBuf bytes, int at, int end) {
        int count = Math.min(left - wordBytes, end - at);
        fill(bytes, at, count);
        if (wordBytes == left) {
            reply.found(place(), name, type, takeWord());
            state = State.TYPE;
        }
        return at + count;
    }

    /** The digits of a hash, and the NUL at its end. */
    private int hash(ByteBuf bytes, int at, int end) {
        int count = Math.min(left, end - at);
        for (int i = 0; i < count; i++) {
            reply.foundDigit(bytes.getByte(at + i), SkimmedReply.HASH_CHARS + 1 - left + i);
        }
        left -= count;
        if (left == 0) {
            state = State.TYPE;
        }
        return at + count;
    }

    private long takeWord() {
        long taken = word;
        word = 0;
        wordBytes = 0;
        return taken;
    }

    private int cString(ByteBuf bytes, int at, int end) {
        int next = at;
        while (next < end && left > 0) {
            if (bytes.getByte(next++) == 0) {
                left--;
            }
        }
        if (position + next - at >= ends[depth]) {
            state = State.GIVEN_UP;
        } else if (left == 0) {
            state = State.TYPE;
        }
        return next;
    }
}
