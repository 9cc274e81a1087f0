package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpGetMore;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.OpReply;
import io.scatterguard.protocol.wire.WireMessage;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** What is answered to messages of legacy opcodes that are not forwarded: codes and form are the server's own. */
final class LegacyRefusal {
    /** Servers since 5.1 answer a legacy query so. */
    private static final int NO_LONGER_SUPPORTED = 5_739_101;

    /** Routers of every release that knows OP_QUERY answer one that asks for exhaust so. */
    private static final int NO_EXHAUST = 18_526;

    /** Bit 1 of {@code responseFlags}: the document is an error. */
    private static final int QUERY_FAILURE = 1 << 1;

    private LegacyRefusal() {}

    /**
     * The error for {@code message}, which is borrowed; null if it is to be forwarded.
     *
     * @param refused whether its opcode is configured to be refused
     */
    static @Nullable BsonDocument of(WireMessage message, boolean refused) {
        OpCode opCode = message.header().opCode();
        if (!(message instanceof OpQuery) && !(message instanceof OpGetMore)) {
            return null;
        }
        if (refused) {
            return error(
                    NO_LONGER_SUPPORTED,
                    opCode + " is no longer supported. Scatterguard refuses it (listeners[].opcodes." + opCode
                            + "): the driver may require an upgrade.");
        }
        // It would be answered by a stream in which nothing says where it ends.
        return message instanceof OpQuery query && query.exhaust()
                ? error(
                        NO_EXHAUST,
                        "The 'exhaust' query option is invalid for mongos queries: " + query.fullCollectionName())
                : null;
    }

    private static BsonDocument error(int code, String message) {
        return new BsonDocument("$err", new BsonString(message))
                .append("code", new BsonInt32(code))
                .append("ok", new BsonDouble(0));
    }

    /** An OP_REPLY that says {@code error}; owned by the caller. */
    static ByteBuf encode(ByteBufAllocator alloc, MessageHeader request, int requestId, BsonDocument error) {
        BsonView body = BsonView.encode(error);
        int length = MessageHeader.SIZE_BYTES + OpReply.PREFIX_BYTES + body.sizeBytes();
        ByteBuf out = alloc.buffer(length, length);
        new MessageHeader(length, requestId, request.requestId(), OpCode.OP_REPLY.value()).writeTo(out);
        // responseFlags, cursorID, startingFrom, numberReturned
        out.writeIntLE(QUERY_FAILURE).writeLongLE(0).writeIntLE(0).writeIntLE(1);
        body.writeTo(out);
        return out;
    }
}
