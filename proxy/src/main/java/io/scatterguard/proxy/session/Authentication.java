package io.scatterguard.proxy.session;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Follows SASL conversations from outside to learn the user's name: from the first message of SCRAM or PLAIN, believed only
 * once the server has said that this very conversation ended well. Nothing changes when a request is sent, only when its
 * reply comes, so that no sequence of requests can make one user appear as another. No secret is kept. Of a mechanism that
 * does not show the name it is unknown until the server was asked.
 */
final class Authentication {
    /** Who somebody claims or is known to be; {@code name} is null where a mechanism does not show it. */
    record Identity(@Nullable String name, String database) {}

    /** Of a longer payload no name is read: whoever sends it has not authenticated yet, and names are short. */
    static final int MAX_PAYLOAD_BYTES = 16 * 1024;

    /** Where users are whom something other than the server authenticates. */
    private static final String EXTERNAL = "$external";

    /** Stands for a database that was not seen; nobody can log out of it. */
    private static final String UNKNOWN = "";

    private @Nullable Identity conversation;
    private @Nullable Identity user;

    /** Of the users that have authenticated and not logged out: servers before 6.0 take several, of different databases. */
    private final Set<String> databases = new HashSet<>();

    /** Whether somebody has authenticated on this connection, by whatever mechanism. */
    boolean isAuthenticated() {
        return !databases.isEmpty();
    }

    /** The user that authenticated last, null while there is none. */
    @Nullable Identity user() {
        return user;
    }

    /** Who a {@code saslStart}, or the {@code speculativeAuthenticate} of a handshake, claims to be; borrowed. */
    static Identity claimed(BsonView start, String database) {
        BsonValueView mechanism = start.get("mechanism");
        BsonValueView payload = start.get("payload");
        if (mechanism == null || payload == null) {
            return new Identity(null, database);
        }
        byte[] bytes = bytes(payload);
        if (mechanism.stringEquals("PLAIN")) {
            return new Identity(plainUser(bytes), database);
        }
        boolean scram = mechanism.stringEquals("SCRAM-SHA-1") || mechanism.stringEquals("SCRAM-SHA-256");
        return new Identity(scram ? scramUser(new String(bytes, StandardCharsets.UTF_8)) : null, database);
    }

    /** The reply to a {@code saslStart} by {@code claimed}. */
    void startAnswered(Identity claimed, BsonDocument reply) {
        conversation = claimed;
        stepAnswered(reply);
    }

    /** The reply to a {@code saslContinue}. */
    void stepAnswered(BsonDocument reply) {
        if (!ReplyFacts.isOk(reply)) {
            conversation = null;
            return;
        }
        BsonValue done = reply.get("done");
        if (done != null && done.isBoolean() && done.asBoolean().getValue()) {
            user = conversation;
            databases.add(conversation == null ? UNKNOWN : conversation.database());
            conversation = null;
        }
    }

    /** The reply to an {@code authenticate}: it may name the user, as that to X.509 does. */
    void authenticateAnswered(BsonDocument reply) {
        if (ReplyFacts.isOk(reply)) {
            BsonValue name = reply.get("user");
            BsonValue database = reply.get("dbname");
            user = new Identity(
                    name != null && name.isString() ? name.asString().getValue() : null,
                    database != null && database.isString()
                            ? database.asString().getValue()
                            : EXTERNAL);
            databases.add(user.database());
        }
    }

    /** Whether somebody has authenticated by a mechanism that does not show the name. */
    boolean isUnnamed() {
        return isAuthenticated() && (user == null || user.name() == null);
    }

    /** The server said that it is {@code who}; null if it did not. */
    void identified(@Nullable Identity who) {
        if (who != null) {
            user = who;
        }
    }

    /** The reply to a {@code logout} of {@code database}. */
    void logoutAnswered(String database, BsonDocument reply) {
        if (ReplyFacts.isOk(reply)) {
            databases.remove(database);
            user = user != null && user.database().equals(database) ? null : user;
        }
    }

    /** The server also takes a payload as a base64 string. Nothing of one that is too long. */
    private static byte[] bytes(BsonValueView payload) {
        if (payload.length() > MAX_PAYLOAD_BYTES) {
            return new byte[0];
        }
        if (payload.type() == BsonType.BINARY) {
            return payload.binary();
        }
        try {
            return payload.isString() ? Base64.getDecoder().decode(payload.string()) : new byte[0];
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
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
