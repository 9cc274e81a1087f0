package io.scatterguard.tests.support;

import java.util.List;
import org.bson.BsonDocument;

/** An OP_REPLY: the answer to an OP_QUERY. */
record OpReplyMessage(int requestId, int responseTo, long cursorId, int startingFrom, List<BsonDocument> documents)
        implements RawMessage {
    /** {@code AwaitCapable}, which every server since 2.6 sets. */
    private static final int RESPONSE_FLAGS = 8;

    OpReplyMessage {
        documents = List.copyOf(documents);
    }

    /** The reply to a command. */
    OpReplyMessage(int requestId, int responseTo, BsonDocument document) {
        this(requestId, responseTo, 0, 0, List.of(document));
    }

    @Override
    public byte[] encode() {
        MessageBytes bytes = new MessageBytes()
                .int32(RESPONSE_FLAGS)
                .int64(cursorId)
                .int32(startingFrom)
                .int32(documents.size());
        documents.forEach(document -> bytes.bytes(RawMessage.bson(document)));
        return bytes.finish(requestId, responseTo, WireHeader.OP_REPLY, 0);
    }
}
