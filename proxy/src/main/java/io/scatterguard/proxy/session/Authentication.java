package io.scatterguard.proxy.session;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Follows a SASL conversation from outside to learn the user's name: from the first message of SCRAM or PLAIN, believed
 * only once the server has said that the conversation ended well. No secret is kept. For every other mechanism the user
 * stays unknown.
 */
final class Authentication {
    private @Nullable String candidate;
    private @Nullable String user;

    /** The authenticated user, null while unknown. */
    @Nullable String user() {
        return user;
    }

    /** A {@code saslStart}, or the {@code speculativeAuthenticate} of a handshake; borrowed. */
    void started(BsonView start) {
        candidate = null;
        BsonValueView mechanism = start.get("mechanism");
        BsonValueView payload = start.get("payload");
        if (mechanism == null || !mechanism.isString() || payload == null) {
            return;
        }
        byte[] bytes = payload.type() == BsonType.BINARY ? payload.binary() : new byte[0];
        if (mechanism.stringEquals("PLAIN")) {
            candidate = plainUser(bytes);
        } else if (mechanism.stringEquals("SCRAM-SHA-1") || mechanism.stringEquals("SCRAM-SHA-256")) {
            candidate = scramUser(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /** The server's answer to a step of the conversation. */
    void answered(BsonDocument reply) {
        if (!ReplyFacts.isOk(reply)) {
            candidate = null;
            return;
        }
        BsonValue done = reply.get("done");
        if (done != null && done.isBoolean() && done.asBoolean().getValue()) {
            user = candidate;
        }
    }

    void loggedOut() {
        candidate = null;
        user = null;
    }

    /** RFC 4616: {@code [authzid] NUL authcid NUL passwd}. */
    private static @Nullable String plainUser(byte[] payload) {
        int first = indexOfZero(payload, 0);
        int second = first < 0 ? -1 : indexOfZero(payload, first + 1);
        return second < 0 ? null : new String(payload, first + 1, second - first - 1, StandardCharsets.UTF_8);
    }

    private static int indexOfZero(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                return i;
            }
        }
        return -1;
    }

    /** RFC 5802: {@code n,,n=user,r=nonce}; in the name {@code =2C} stands for a comma and {@code =3D} for {@code =}. */
    private static @Nullable String scramUser(String payload) {
        for (String part : payload.split(",", -1)) {
            if (part.startsWith("n=")) {
                return part.substring(2).replace("=2C", ",").replace("=3D", "=");
            }
        }
        return null;
    }
}
