package io.scatterguard.proxy.session;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.WireMessage;
import java.time.Duration;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * How a session whose server is not the primary any more takes leave of its client: the next command is answered as by a
 * {@code mongos} that shuts down. Nothing of it was executed, so that drivers try again what can be tried again, and they let go
 * of all their connections. A connection that just closed would be a network error to a command that is on its way; a driver
 * whose monitor had noticed before it does not try that again.
 *
 * <p>Source: the "Server Discovery and Monitoring" (node is shutting down), "Retryable Writes" and "Transactions"
 * specifications.
 */
final class Farewell {
    /** How long it waits for that command: longer than the ten seconds between two looks of a driver's monitor. */
    static final Duration LINGER = Duration.ofSeconds(15);

    /** ShutdownInProgress. */
    static final int CODE = 91;

    private final SessionContext context;
    private boolean begun;
    private boolean said;
    private boolean over;

    Farewell(SessionContext context) {
        this.context = context;
    }

    /** From now on nothing is sent to the server. */
    void begin() {
        begun = true;
    }

    boolean hasBegun() {
        return begun;
    }

    /** It is not waited for any longer. */
    void stopWaiting() {
        over = true;
    }

    /** Whether there is nothing left to wait for but what is in flight. */
    boolean isOver() {
        return said || over;
    }

    /**
     * The plan that answers {@code message}, which is borrowed, in its turn.
     *
     * @param command what is in it, null if that is no command
     * @throws ClosingException if that has no answer by which a driver would know: a monitor's {@code hello}, a step of an
     *     authentication, a write that expects none
     */
    RequestPlan say(WireMessage message, @Nullable CommandView command, InFlightRequest request, OwnReplies replies) {
        if (command == null || !command.replyExpected() || isOfConnection(command.commandName())) {
            throw new ClosingException(CloseCause.PRIMARY_CHANGED, "the server is not the primary any more");
        }
        said = true;
        context.counters().turnedAway();
        return replies.failed(message.header(), request, error(command));
    }

    private static boolean isOfConnection(CommandName name) {
        return name.kind() == CommandName.Kind.HANDSHAKE || name.kind() == CommandName.Kind.AUTHENTICATION;
    }

    private static BsonDocument error(CommandView command) {
        BsonDocument error = OwnReplies.error(
                CODE, "ShutdownInProgress", "Scatterguard: the primary of the replica set has changed");
        String label = label(command);
        return label == null ? error : error.append("errorLabels", new BsonArray(List.of(new BsonString(label))));
    }

    /** As servers since 4.4 label their errors; reads need none. */
    private static @Nullable String label(CommandView command) {
        boolean ending = command.commandName() == CommandName.COMMIT_TRANSACTION
                || command.commandName() == CommandName.ABORT_TRANSACTION;
        if (command.inTransaction() && !ending) {
            return "TransientTransactionError";
        }
        BsonValueView number = command.get("txnNumber");
        return number == null ? null : "RetryableWriteError";
    }
}
