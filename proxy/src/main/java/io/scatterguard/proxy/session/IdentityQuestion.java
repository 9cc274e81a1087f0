package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.command.ErrorReply;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.proxy.session.Authentication.Identity;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The {@code connectionStatus} of our own that asks the server who has authenticated on a connection. It is sent when nothing
 * else is in flight and the client's next requests are held until its reply, so that its {@code requestId} cannot be mistaken
 * for one of theirs.
 */
final class IdentityQuestion {
    static final int REQUEST_ID = Integer.MIN_VALUE;

    private static final MessageHeader ANSWERS_NOTHING = new MessageHeader(0, 0, 0, OpCode.OP_MSG.value());

    private IdentityQuestion() {}

    /** The whole message, owned by the caller. */
    static ByteBuf encode(ByteBufAllocator allocator) {
        BsonDocument command =
                new BsonDocument("connectionStatus", new BsonInt32(1)).append("$db", new BsonString("admin"));
        return ErrorReply.encode(allocator, ANSWERS_NOTHING, REQUEST_ID, command);
    }

    /** The first user of the reply; null if it names none. */
    static @Nullable Identity answer(BsonDocument reply) {
        BsonValue info = reply.get("authInfo");
        if (!ReplyFacts.isOk(reply) || info == null || !info.isDocument()) {
            return null;
        }
        BsonValue users = info.asDocument().get("authenticatedUsers");
        BsonArray array = users != null && users.isArray() ? users.asArray() : new BsonArray();
        if (array.isEmpty() || !array.get(0).isDocument()) {
            return null;
        }
        BsonDocument first = array.get(0).asDocument();
        BsonValue user = first.get("user");
        BsonValue database = first.get("db");
        return user != null && user.isString() && database != null && database.isString()
                ? new Identity(user.asString().getValue(), database.asString().getValue())
                : null;
    }
}
