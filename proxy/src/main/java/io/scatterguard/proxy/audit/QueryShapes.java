package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.bson.BsonType;

/** Makes the {@link QueryShape} of a command: names and operators stay, literals become type tokens. */
public final class QueryShapes {
    private static final int HASH_BYTES = 8;

    private QueryShapes() {}

    /**
     * The shape of {@code command}, which is borrowed. Of commands with credentials and of the handshake only the name
     * is looked at. The work is bounded: see {@link ShapeText}.
     *
     * @throws io.scatterguard.protocol.bson.MalformedBsonException if the part that is looked at is malformed
     */
    public static QueryShape of(CommandView command) {
        ShapeText out = new ShapeText();
        CommandShape.write(command, out);
        String whole = out.toString();
        String text = whole.length() <= QueryShape.MAX_TEXT_CHARS
                ? whole
                : whole.substring(0, QueryShape.MAX_TEXT_CHARS - 1) + ShapeText.ELLIPSIS;
        return new QueryShape(text, hash(namespaceOf(command), whole));
    }

    /**
     * The namespace a command names, as far as it may be recorded: the first value of a command that is not about a
     * collection (a user's name, a parameter) is no collection.
     */
    static Namespace namespaceOf(CommandView command) {
        CommandView subject = command.explained().orElse(command);
        if (subject.commandName() == CommandName.GET_MORE) {
            BsonValueView collection = subject.get("collection");
            String name = collection != null && collection.isString() ? collection.string() : "";
            return new Namespace(subject.database(), name);
        }
        return namesCollection(subject) ? subject.namespace() : new Namespace(subject.database(), "");
    }

    private static boolean namesCollection(CommandView command) {
        if (command.firstValue().type() != BsonType.STRING) {
            return false;
        }
        return switch (command.commandName().kind()) {
            case READ, WRITE, CURSOR, DDL_PRIMARY, LOWEST_CHUNK, OWNING_SHARDS -> true;
            case HANDSHAKE, AUTHENTICATION, USER_MANAGEMENT, SESSION, ROUTER_LOCAL, ALL_SHARDS, ADMINISTRATION -> false;
        };
    }

    private static String hash(Namespace namespace, String text) {
        MessageDigest digest = sha256();
        digest.update(namespace.fullName().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing from this Java runtime (every runtime must have it)", e);
        }
    }
}
