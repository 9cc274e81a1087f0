package io.scatterguard.tests.support;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Who one connection of a {@link ScriptedMongos} is: SCRAM and PLAIN are checked, MONGODB-X509 is always refused, any other
 * mechanism ends well in its second step. Without users everybody is let in.
 */
final class ScriptedLogin {
    /** What a server answers to anybody. */
    private static final Set<String> OPEN = Set.of(
            "hello",
            "ismaster",
            "saslstart",
            "saslcontinue",
            "authenticate",
            "logout",
            "ping",
            "buildinfo",
            "connectionstatus",
            "whatsmyuri",
            "endsessions",
            "getnonce");

    private static final Reply FAILED = Reply.error(18, "AuthenticationFailed", "Authentication failed.");

    private final Supplier<List<ScriptedUser>> users;
    private @Nullable ScriptedUser conversing;
    private @Nullable ScramExchange scram;
    private @Nullable ScriptedUser authenticated;
    private boolean skipEmptyExchange;
    private boolean proven;
    private boolean known;

    ScriptedLogin(Supplier<List<ScriptedUser>> users) {
        this.users = users;
    }

    /** The answer to a command that comes before the authentication it needs. */
    Optional<Reply> refusal(WireFrame request) {
        boolean open = users.get().isEmpty() || known || OPEN.contains(name(request));
        return open
                ? Optional.empty()
                : Optional.of(Reply.error(
                        13, "Unauthorized", "Command " + request.commandName() + " requires authentication"));
    }

    private static String name(WireFrame request) {
        return request.commandName().toLowerCase(Locale.ROOT);
    }

    /** The answer to a command about authentication; empty for every other, and where there are no users. */
    Optional<Reply> answer(WireFrame request) {
        if (users.get().isEmpty()) {
            return Optional.empty();
        }
        BsonDocument command = request.command();
        return switch (name(request)) {
            case "saslstart" ->
                Optional.of(start(command, request.database())
                        .map(ScriptedLogin::ok)
                        .orElse(FAILED));
            case "saslcontinue" ->
                Optional.of(step(command).map(ScriptedLogin::ok).orElse(FAILED));
            case "authenticate" -> Optional.of(FAILED);
            case "logout" -> Optional.of(logout());
            case "connectionstatus" -> Optional.of(status());
            default -> Optional.empty();
        };
    }

    /** What {@code hello} adds to the reply: the mechanisms of a user, the first step of a conversation. */
    BsonDocument helloFields(BsonDocument hello) {
        BsonDocument fields = new BsonDocument();
        if (hello.containsKey("saslSupportedMechs")) {
            String asked = hello.getString("saslSupportedMechs").getValue();
            users.get().stream()
                    .filter(user -> asked.equals(user.database() + "." + user.name()))
                    .findFirst()
                    .ifPresent(user -> fields.append("saslSupportedMechs", mechanisms(user)));
        }
        if (hello.containsKey("speculativeAuthenticate")) {
            BsonDocument start = hello.getDocument("speculativeAuthenticate");
            String database = start.getString("db", new BsonString("admin")).getValue();
            boolean sasl = start.containsKey("saslStart");
            (sasl ? start(start, database) : Optional.<BsonDocument>empty())
                    .ifPresent(step -> fields.append("speculativeAuthenticate", step));
        }
        return fields;
    }

    private static BsonArray mechanisms(ScriptedUser user) {
        return new BsonArray(user.mechanisms().stream().map(BsonString::new).toList());
    }

    private Optional<BsonDocument> start(BsonDocument command, String database) {
        String mechanism = command.getString("mechanism").getValue();
        byte[] payload = command.getBinary("payload").getData();
        BsonDocument options = command.getDocument("options", new BsonDocument());
        skipEmptyExchange =
                options.getBoolean("skipEmptyExchange", BsonBoolean.FALSE).getValue();
        proven = false;
        scram = null;
        if (mechanism.equals("PLAIN")) {
            return plain(payload, database);
        }
        if (!mechanism.startsWith("SCRAM-")) {
            return Optional.of(step(false, "a challenge".getBytes(StandardCharsets.UTF_8)));
        }
        conversing = user(ScramExchange.userName(payload), database)
                .filter(user -> user.mechanisms().contains(mechanism))
                .orElse(null);
        if (conversing == null) {
            return Optional.empty();
        }
        scram = ScramExchange.start(mechanism, conversing, payload);
        return Optional.of(step(false, scram.serverFirst()));
    }

    private Optional<BsonDocument> plain(byte[] payload, String database) {
        String[] parts = new String(payload, StandardCharsets.UTF_8).split("\0", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        conversing = user(parts[1], database)
                .filter(user ->
                        user.mechanisms().contains("PLAIN") && user.password().equals(parts[2]))
                .orElse(null);
        return conversing == null ? Optional.empty() : Optional.of(done(new byte[0]));
    }

    private Optional<BsonDocument> step(BsonDocument command) {
        if (scram == null || proven) {
            return Optional.of(done(new byte[0])); // The second step of what is not checked; or SCRAM's empty exchange.
        }
        Optional<byte[]> last = scram.serverFinal(command.getBinary("payload").getData());
        proven = last.isPresent();
        return last.map(payload -> skipEmptyExchange ? done(payload) : step(false, payload));
    }

    private BsonDocument done(byte[] payload) {
        known = true;
        authenticated = conversing;
        return step(true, payload);
    }

    private static BsonDocument step(boolean done, byte[] payload) {
        return new BsonDocument("conversationId", new BsonInt32(1))
                .append("done", BsonBoolean.valueOf(done))
                .append("payload", new BsonBinary(payload));
    }

    private static Reply ok(BsonDocument step) {
        return Reply.document(step.append("ok", new BsonDouble(1)));
    }

    private Optional<ScriptedUser> user(String name, String database) {
        return users.get().stream()
                .filter(user -> user.isCalled(name, database))
                .findFirst();
    }

    private Reply logout() {
        known = false;
        authenticated = null;
        return Reply.ok();
    }

    private Reply status() {
        BsonArray names = new BsonArray();
        if (authenticated != null) {
            names.add(new BsonDocument("user", new BsonString(authenticated.name()))
                    .append("db", new BsonString(authenticated.database())));
        }
        BsonDocument info =
                new BsonDocument("authenticatedUsers", names).append("authenticatedUserRoles", new BsonArray());
        return Reply.document(new BsonDocument("authInfo", info).append("ok", new BsonDouble(1)));
    }
}
