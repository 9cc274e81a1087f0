package io.scatterguard.proxy.logs;

import io.scatterguard.protocol.command.ClientInfo;
import java.time.Instant;
import java.util.Objects;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A command that a server recorded.
 *
 * @param database the database it was run in
 * @param command as a client would send it; a statement of a write that was recorded by itself is a command of one statement
 * @param client who sent it, as far as that is recorded
 * @param at when it ended; null if that is not recorded
 * @param serverMicros how long the server took
 * @param continued whether it is but a further batch of {@code command}, which was sent once before
 */
public record LoggedCommand(
        String database,
        BsonDocument command,
        ClientInfo client,
        @Nullable Instant at,
        long serverMicros,
        boolean continued) {
    public LoggedCommand {
        Objects.requireNonNull(database, "database");
        Objects.requireNonNull(command, "command");
        Objects.requireNonNull(client, "client");
        if (serverMicros < 0) {
            throw new IllegalArgumentException("serverMicros: " + serverMicros + " (expected: 0 or more)");
        }
    }
}
