package io.scatterguard.tests.support;

import org.bson.BsonDocument;

/** A message of any opcode, legacy or none at all, whose body is given as bytes. */
public final class OpaqueMessage implements RawMessage {
    public static final int OP_UPDATE = 2001;
    public static final int OP_INSERT = 2002;
    public static final int OP_GET_MORE = 2005;
    public static final int OP_DELETE = 2006;
    public static final int OP_KILL_CURSORS = 2007;

    private final int requestId;
    private final int opCode;
    private final byte[] body;

    /** {@code body}: everything behind the header. */
    public OpaqueMessage(int requestId, int opCode, byte[] body) {
        this.requestId = requestId;
        this.opCode = opCode;
        this.body = body;
    }

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
    public int requestId() {
        return requestId;
    }

    @Override
    public byte[] encode() {
        return new MessageBytes().bytes(body).finish(requestId, 0, opCode, 0);
    }
}
