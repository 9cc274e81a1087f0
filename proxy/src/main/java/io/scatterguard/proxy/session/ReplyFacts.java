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
        return ok != null
                && (ok.isNumber()
                        ? ok.asNumber().doubleValue() == 1
                        : ok.isBoolean() && ok.asBoolean().getValue());
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
        return value != null && value.isNumber() ? value.asNumber().intValue() : null;
    }
}
