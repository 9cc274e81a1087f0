package io.scatterguard.proxy.session;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a reply says of its outcome.
 *
 * @param ok whether {@code ok} was 1; null if the reply was not read
 * @param code the error code; null if there is none
 * @param nReturned documents in the batch, or {@code n}; null if the reply has neither
 */
record ReplyFacts(
        @Nullable Boolean ok,
        @Nullable Integer code,
        @Nullable Integer nReturned) {
    static final ReplyFacts UNKNOWN = new ReplyFacts(null, null, null);
    static final ReplyFacts REFUSED = new ReplyFacts(false, Refusal.CODE, null);

    static ReplyFacts of(@Nullable BsonDocument reply) {
        if (reply == null) {
            return UNKNOWN;
        }
        return new ReplyFacts(isOk(reply), integer(reply.get("code")), returned(reply));
    }

    static boolean isOk(BsonDocument reply) {
        BsonValue ok = reply.get("ok");
        return ok != null && (ok.isBoolean() ? ok.asBoolean().getValue() : isOne(ok));
    }

    private static boolean isOne(BsonValue ok) {
        return ok.isNumber() && !ok.isDecimal128() && ok.asNumber().doubleValue() == 1;
    }

    private static @Nullable Integer returned(BsonDocument reply) {
        BsonValue cursor = reply.get("cursor");
        if (cursor != null && cursor.isDocument()) {
            for (String batch : new String[] {"firstBatch", "nextBatch"}) {
                BsonValue documents = cursor.asDocument().get(batch);
                if (documents != null && documents.isArray()) {
                    return documents.asArray().size();
                }
            }
        }
        return integer(reply.get("n"));
    }

    static @Nullable Integer integer(@Nullable BsonValue value) {
        // A decimal128 may be a NaN, which has no int; no server counts in decimals.
        return value != null && value.isNumber() && !value.isDecimal128()
                ? value.asNumber().intValue()
                : null;
    }
}
