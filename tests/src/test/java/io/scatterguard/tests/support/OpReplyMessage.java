package io.scatterguard.tests.support;

import org.bson.BsonDocument;

/** An OP_REPLY with one document: the answer to an OP_QUERY. */
record OpReplyMessage(int requestId, int responseTo, BsonDocument document) implements RawMessage {
    /** {@code AwaitCapable}, which every server since 2.6 sets. */
    private static final int RESPONSE_FLAGS = 8;

    @Override
    public byte[] encode() {
        return new MessageBytes()
                .int32(RESPONSE_FLAGS)
                .int64(0) // cursorID
                .int32(0) // startingFrom
                .int32(1) // numberReturned
                .bytes(RawMessage.bson(document))
                .finish(requestId, responseTo, WireHeader.OP_REPLY, 0);
    }
}
