package io.scatterguard.tests.support;

import org.bson.BsonDocument;

/** Builds an OP_QUERY that carries a command, as old handshakes are sent. */
public final class OpQueryBuilder implements RawMessage {
    private final int requestId;
    private BsonDocument query;
    private String namespace = "admin.$cmd";
    private int flagBits;

    private OpQueryBuilder(int requestId, BsonDocument query) {
        this.requestId = requestId;
        this.query = query;
    }

    public static OpQueryBuilder of(int requestId, BsonDocument command) {
        return new OpQueryBuilder(requestId, command);
    }

    @Override
    public int requestId() {
        return requestId;
    }

    /** {@code fullCollectionName}; {@code admin.$cmd} unless set. */
    public OpQueryBuilder namespace(String fullCollectionName) {
        namespace = fullCollectionName;
        return this;
    }

    public OpQueryBuilder flags(int bits) {
        flagBits |= bits;
        return this;
    }

    /** Wraps the command in {@code {$query: command}}, as clients do that send a read preference beside it. */
    public OpQueryBuilder wrapped() {
        query = new BsonDocument("$query", query);
        return this;
    }

    @Override
    public byte[] encode() {
        return new MessageBytes()
                .int32(flagBits)
                .cstring(namespace)
                .int32(0) // numberToSkip
                .int32(-1) // numberToReturn: one document, then close
                .bytes(RawMessage.bson(query))
                .finish(requestId, 0, WireHeader.OP_QUERY, 0);
    }
}
