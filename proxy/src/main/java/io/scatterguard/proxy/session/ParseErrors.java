package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.MalformedOpMsg;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.DuplicateFields;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that say two things at once, with the server's own errors: which of the two a server would follow is
 * its own affair, so that no verdict on either would hold.
 */
final class ParseErrors {
    /** What a server says of a field that stands twice. */
    static final int DUPLICATE_FIELD = 40413;

    private static final String DUPLICATE_FIELD_NAME = "IDLDuplicateField";

    private final SessionContext context;
    private final OwnReplies replies;

    ParseErrors(SessionContext context, OwnReplies replies) {
        this.context = context;
        this.replies = replies;
    }

    /** The plan that answers {@code message}, which is borrowed, and does not forward it. */
    RequestPlan answer(MalformedOpMsg message, InFlightRequest request) {
        context.counters().malformed();
        if (!message.replyExpected()) {
            return new RequestPlan(request, null);
        }
        BsonDocument error = OwnReplies.error(message.code(), message.codeName(), message.errmsg());
        return replies.failed(message.header(), request, error);
    }

    /**
     * The field of {@code command}, which is borrowed, that decides its route and stands twice; null unless that has to be
     * answered by us: where broadcasts are refused, and a reply is expected.
     */
    @Nullable String duplicateField(CommandView command, Judgement judgement) {
        CommandName.Kind kind = command.commandName().kind();
        boolean routed = kind == CommandName.Kind.READ || kind == CommandName.Kind.WRITE;
        boolean uncertain = judgement.route().worst().certainty() == Certainty.UPPER_BOUND;
        boolean ours = routed
                && uncertain
                && !judgement.verdict().refused()
                && context.judge().isEnforcing();
        return ours && command.replyExpected() ? DuplicateFields.named(command) : null;
    }

    /** The plan that answers a command in which {@code field} stands twice. */
    RequestPlan answerDuplicate(WireMessage message, CommandView command, String field, InFlightRequest request) {
        context.counters().malformed();
        String text = "BSON field '" + command.name() + "." + field + "' is a duplicate field";
        BsonDocument error = OwnReplies.error(DUPLICATE_FIELD, DUPLICATE_FIELD_NAME, text);
        return replies.failed(message.header(), request, error);
    }
}
