package io.scatterguard.proxy.session;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.proxy.policy.RefusalTerms;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.session.InFlightRequest.Role;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses the commands of a session that its policy refuses. */
final class Refusals {
    private final SessionContext context;
    private final OwnReplies replies;

    Refusals(SessionContext context, OwnReplies replies) {
        this.context = context;
        this.replies = replies;
    }

    /**
     * The plan that refuses {@code command}, which is borrowed; null if it is forwarded all the same, because it expects no
     * reply and is not to be dropped.
     *
     * @param refused the judgement of the statement that is refused
     */
    @Nullable RequestPlan plan(MessageHeader header, CommandView command, Judgement refused, InFlightRequest request) {
        RefusalTerms terms = context.judge().refusalTerms(refused.verdict());
        if (request.role() == Role.UNANSWERED) {
            return terms.unacknowledged() ? new RequestPlan(request, null) : null;
        }
        return replies.plan(
                header,
                request,
                Refusal.document(command, refused, notes(command, refused.route()), terms),
                ReplyFacts.REFUSED);
    }

    /** The notes on the worst statement. A refusal without them is better than none. */
    private List<Note> notes(CommandView command, Route route) {
        try {
            return Notes.of(command, route).stream()
                    .filter(note -> note.statement() == route.worstIndex())
                    .toList();
        } catch (MalformedBsonException e) {
            return List.of();
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            context.counters().internalError();
            context.judge().failed(e, command.commandName().text(), "refused, without notes");
            return List.of();
        }
    }
}
