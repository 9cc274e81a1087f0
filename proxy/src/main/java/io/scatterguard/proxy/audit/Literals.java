package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A command with its values, for {@link AuditSettings.Values#FULL} only: text of its own, of a bounded size.
 *
 * @param body the command as relaxed Extended JSON, its document sequences as arrays; without {@code $db}, {@code lsid} and
 *     {@code $clusterTime}
 * @param comment its whole comment, a string as it is and a document as Extended JSON; null if it has none, or another
 */
record Literals(CutJson.Text body, @Nullable String comment) {
    /** Where the text of a body ends. With a record's other fields it takes no more room in a queue than is counted on. */
    static final int MAX_BODY_CHARS = 4_096;

    /** Where a comment ends. */
    static final int MAX_COMMENT_CHARS = 1_024;

    /**
     * Those of {@code command}, which is borrowed; null where they are not to be recorded: they are of reads, writes and
     * cursors only, because what administers a server may hold what opens it, and a handshake does. Likewise of an
     * {@code explain} whose inside cannot be told.
     */
    static @Nullable Literals of(CommandView command) {
        try {
            return isAboutData(command) ? new Literals(body(command), comment(command)) : null;
        } catch (MalformedBsonException e) {
            return null;
        }
    }

    private static boolean isAboutData(CommandView command) {
        if (command.commandName() == CommandName.EXPLAIN) {
            Optional<CommandView> inner = command.explained();
            return inner.isPresent() && inner.get().commandName() != CommandName.EXPLAIN && isAboutData(inner.get());
        }
        return switch (command.commandName().kind()) {
            case READ, WRITE, CURSOR -> true;
            case HANDSHAKE,
                    AUTHENTICATION,
                    USER_MANAGEMENT,
                    SESSION,
                    ROUTER_LOCAL,
                    DDL_PRIMARY,
                    LOWEST_CHUNK,
                    OWNING_SHARDS,
                    ALL_SHARDS,
                    ADMINISTRATION -> false;
        };
    }

    private static CutJson.Text body(CommandView command) {
        CutJson json = new CutJson(MAX_BODY_CHARS);
        json.command(command);
        return json.text();
    }

    private static @Nullable String comment(CommandView command) {
        BsonValueView comment = command.get("comment");
        if (comment == null) {
            return null;
        }
        if (comment.isString() && comment.length() <= CutJson.MAX_VALUE_BYTES) {
            return JsonFields.cut(comment.string(), MAX_COMMENT_CHARS);
        }
        if (!comment.isDocument()) {
            return null;
        }
        CutJson json = new CutJson(MAX_COMMENT_CHARS);
        json.document(comment.document());
        return json.text().json();
    }
}
