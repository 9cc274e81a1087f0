package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Whether the client of one connection may be judged and answered by us yet, and what its connection teaches about the
 * cluster's access control: every server of every release asks for an authentication before it reads or writes data, so
 * that the first reply to such a command shows whether it does.
 */
final class Admission {
    /** The server's {@code Unauthorized}. */
    private static final int UNAUTHORIZED = 13;

    private final AccessControl accessControl;
    private final Authentication authentication;
    private final String listener;
    private boolean seen;

    Admission(AccessControl accessControl, Authentication authentication, String listener) {
        this.accessControl = accessControl;
        this.authentication = authentication;
        this.listener = listener;
    }

    /** Whether the server must be left to answer everything as it would without us. */
    boolean mustAuthenticateFirst() {
        return accessControl.isRequired() && !authentication.isAuthenticated();
    }

    /** Who has to see the reply to {@code command}, which is borrowed; null if it can teach nothing. */
    @Nullable Consumer<BsonDocument> learner(CommandView command) {
        // What was seen may have changed for others; who is not judged because of that must be able to show it again.
        boolean known = seen && !accessControl.isRequired();
        if (known || authentication.isAuthenticated() || !accessControl.learns()) {
            return null;
        }
        CommandName.Kind kind = command.commandName().kind();
        return kind == CommandName.Kind.READ || kind == CommandName.Kind.WRITE ? this::answered : null;
    }

    private void answered(BsonDocument reply) {
        Integer code = ReplyFacts.integer(reply.get("code"));
        if (ReplyFacts.isOk(reply)) {
            seen = true;
            accessControl.executed(listener);
        } else if (code != null && code == UNAUTHORIZED) {
            seen = true;
            accessControl.denied(listener);
        }
    }

    /** A step of an authentication was answered. */
    void stepAnswered() {
        if (authentication.isAuthenticated()) {
            accessControl.authenticated(listener);
        }
    }
}
