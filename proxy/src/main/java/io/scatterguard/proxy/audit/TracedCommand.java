package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.policy.CommentWords;
import io.scatterguard.proxy.routing.Route;
import org.jspecify.annotations.Nullable;

/**
 * A command whose comment names the span that it is part of, as far as it may be shown: nothing of its literals.
 *
 * @param name its name, spelt as of today
 * @param namespace what it is about; empty parts where it names none
 */
public record TracedCommand(TraceParent parent, String name, Namespace namespace) {
    /**
     * What can be said of {@code command}, which is borrowed.
     *
     * @return null if it is in no trace, or in one that is not sampled; and for handshakes and commands with credentials
     * @throws io.scatterguard.protocol.bson.MalformedBsonException if what is looked at is malformed
     */
    public static @Nullable TracedCommand of(CommandView command, Route route) {
        if (command.commandName().kind() == CommandName.Kind.HANDSHAKE) {
            return null;
        }
        BsonValueView comment = command.get("comment");
        TraceParent parent = comment == null ? null : TraceParent.ofWords(CommentWords.of(comment));
        if (parent == null || !parent.sampled() || Subjects.isSensitive(command)) {
            return null;
        }
        return new TracedCommand(parent, CommandShape.nameOf(command), Subjects.namespaceOf(command, route));
    }
}
