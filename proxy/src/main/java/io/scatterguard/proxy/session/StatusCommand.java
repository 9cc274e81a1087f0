package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import org.bson.BsonDocument;
import org.bson.BsonDouble;

/** {@code {scatterguard: 1}}: a command that no server knows and the proxy answers itself. */
final class StatusCommand {
    private static final String NAME = "scatterguard";

    private StatusCommand() {}

    static boolean isMeant(CommandView command) {
        return command.commandName() == CommandName.UNKNOWN && command.name().equals(NAME);
    }

    /** The reply to {@code command}, which is borrowed: errors are those a server has for a command of its own. */
    static BsonDocument answer(CommandView command, StatusReport report) {
        if (!command.database().equals("admin")) {
            return OwnReplies.error(13, "Unauthorized", NAME + " may only be run against the admin database.");
        }
        if (command.inTransaction()) {
            return OwnReplies.error(
                    263,
                    "OperationNotSupportedInTransaction",
                    "Cannot run '" + NAME + "' in a multi-document transaction.");
        }
        return report.document().append("ok", new BsonDouble(1));
    }
}
