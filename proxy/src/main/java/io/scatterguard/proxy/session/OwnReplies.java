package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.command.ErrorReply;
import io.scatterguard.protocol.wire.MessageHeader;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** What a session answers itself, each in the opcode of its request and with a requestId of the session's own. */
final class OwnReplies {
    private final SessionContext context;
    private int lastRequestId;

    OwnReplies(SessionContext context) {
        this.context = context;
    }

    /** The plan that answers {@code request}, which came with {@code header}, by {@code reply} in its turn. */
    RequestPlan plan(MessageHeader header, InFlightRequest request, BsonDocument reply, ReplyFacts facts) {
        ByteBuf bytes = ErrorReply.encode(context.allocator(), header, ++lastRequestId, reply);
        return new RequestPlan(request.answeredBy(bytes, facts), null);
    }

    /** Likewise by {@code error}, which has a {@code code}. */
    RequestPlan failed(MessageHeader header, InFlightRequest request, BsonDocument error) {
        return plan(
                header, request, error, ReplyFacts.failed(error.getInt32("code").getValue()));
    }

    /** Likewise to a message of a legacy opcode. */
    RequestPlan legacy(MessageHeader header, InFlightRequest request, BsonDocument error) {
        ByteBuf bytes = LegacyRefusal.encode(context.allocator(), header, ++lastRequestId, error);
        return new RequestPlan(request.answeredBy(bytes), null);
    }

    /** An error as servers write it. */
    static BsonDocument error(int code, String codeName, String errmsg) {
        return new BsonDocument("ok", new BsonDouble(0))
                .append("errmsg", new BsonString(errmsg))
                .append("code", new BsonInt32(code))
                .append("codeName", new BsonString(codeName));
    }
}
