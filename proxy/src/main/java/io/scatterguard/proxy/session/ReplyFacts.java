package io.scatterguard.proxy.session;

import io.scatterguard.protocol.codec.SkimmedReply;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a reply says of its outcome.
 *
 * @param ok whether {@code ok} was 1; null if the reply was not read
 * @param code the error code; null if there is none
 * @param nReturned documents in the batch, or {@code n}; null if the reply has neither
 * @param queryShapeHash the server's hash of the shape of what was explained; null if the reply has none
 */
record ReplyFacts(
        @Nullable Boolean ok,
        @Nullable Integer code,
        @Nullable Integer nReturned,
        @Nullable String queryShapeHash) {
    static final ReplyFacts UNKNOWN = new ReplyFacts(null, null, null, null);
    static final ReplyFacts REFUSED = new ReplyFacts(false, Refusal.CODE, null, null);

    static ReplyFacts of(SkimmedReply reply) {
        Integer batchSize = reply.batchSize();
        return new ReplyFacts(
                reply.ok(), reply.code(), batchSize != null ? batchSize : reply.n(), reply.queryShapeHash());
    }

    /** An error of ours with the server's {@code code}. */
    static ReplyFacts failed(int code) {
        return new ReplyFacts(false, code, null, null);
    }

    static boolean isOk(BsonDocument reply) {
        BsonValue ok = reply.get("ok");
        return ok != null && (ok.isBoolean() ? ok.asBoolean().getValue() : isOne(ok));
    }

    private static boolean isOne(BsonValue ok) {
        return ok.isNumber() && !ok.isDecimal128() && ok.asNumber().doubleValue() == 1;
    }

    static @Nullable Integer integer(@Nullable BsonValue value) {
        // A decimal128 may be a NaN, which has no int; no server counts in decimals.
        return value != null && value.isNumber() && !value.isDecimal128()
                ? value.asNumber().intValue()
                : null;
    }
}
