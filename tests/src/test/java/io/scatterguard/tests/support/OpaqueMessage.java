package io.scatterguard.tests.support;

import java.util.Arrays;
import org.bson.BsonDocument;

/**
 * A message of any opcode, legacy or none at all, whose body is given as bytes.
 *
 * @param body everything behind the header
 */
public record OpaqueMessage(int requestId, int opCode, byte[] body) implements RawMessage {
    public static final int OP_UPDATE = 2001;
    public static final int OP_INSERT = 2002;
    public static final int OP_GET_MORE = 2005;
    public static final int OP_DELETE = 2006;
    public static final int OP_KILL_CURSORS = 2007;

    /** A well-formed message of a legacy opcode on {@code namespace}, which carries {@code document} where it has one. */
    public static OpaqueMessage legacy(int requestId, int opCode, String namespace, BsonDocument document) {
        byte[] bson = RawMessage.bson(document);
        MessageBytes bytes = new MessageBytes().int32(0);
        switch (opCode) {
            case OP_INSERT -> bytes.cstring(namespace).bytes(bson);
            case OP_UPDATE -> bytes.cstring(namespace).int32(0).bytes(bson).bytes(bson);
            case OP_DELETE -> bytes.cstring(namespace).int32(0).bytes(bson);
            case OP_GET_MORE -> bytes.cstring(namespace).int32(10).int64(77);
            case OP_KILL_CURSORS -> bytes.int32(1).int64(77);
            default -> throw new IllegalArgumentException("opcode " + opCode + " (expected: a legacy one)");
        }
        return new OpaqueMessage(requestId, opCode, bytes.withoutHeader());
    }

    @Override
    public byte[] encode() {
        return new MessageBytes().bytes(body).finish(requestId, 0, opCode, 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OpaqueMessage that
                && requestId == that.requestId
                && opCode == that.opCode
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return 31 * requestId + Arrays.hashCode(body);
    }

    @Override
    public String toString() {
        return "opcode " + opCode + " requestId: " + requestId;
    }
}
