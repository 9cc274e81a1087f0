package io.scatterguard.protocol.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpReply;
import org.bson.BsonDocument;

/** A reply of our own to a command, in the opcode that its request calls for. */
public final class ErrorReply {
    private static final int OP_MSG_PREFIX_BYTES = 5;

    private ErrorReply() {}

    /**
     * Encodes {@code document} as the answer to a request: OP_REPLY for an OP_QUERY, OP_MSG for everything else.
     *
     * @param request the header of the request that is answered
     * @param requestId the reply's own {@code requestId}
     * @return the whole message, owned by the caller
     */
    public static ByteBuf encode(ByteBufAllocator alloc, MessageHeader request, int requestId, BsonDocument document) {
        BsonView body = BsonView.encode(document);
        boolean legacy = request.opCode() == OpCode.OP_QUERY;
        int prefix = legacy ? OpReply.PREFIX_BYTES : OP_MSG_PREFIX_BYTES;
        int length = MessageHeader.SIZE_BYTES + prefix + body.sizeBytes();
        OpCode opCode = legacy ? OpCode.OP_REPLY : OpCode.OP_MSG;
        ByteBuf out = alloc.buffer(length, length);
        new MessageHeader(length, requestId, request.requestId(), opCode.value()).writeTo(out);
        if (legacy) {
            // responseFlags, cursorID, startingFrom, numberReturned
            out.writeIntLE(0).writeLongLE(0).writeIntLE(0).writeIntLE(1);
        } else {
            // flagBits, section kind 0
            out.writeIntLE(0).writeByte(0);
        }
        body.writeTo(out);
        return out;
    }
}
