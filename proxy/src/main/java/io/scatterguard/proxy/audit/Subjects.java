package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.routing.Route;

/** What a record says a command was, and which commands have none. */
final class Subjects {
    private Subjects() {}

    /** A malformed {@code explain} is recorded: nothing but its name can be read of it. */
    static boolean isSensitive(CommandView command) {
        try {
            return command.commandName().isSensitive()
                    || command.explained()
                            .map(inner -> inner.commandName().isSensitive())
                            .orElse(false);
        } catch (MalformedBsonException e) {
            return false;
        }
    }

    /** Of a handshake only the name: it may carry {@code speculativeAuthenticate}. */
    static AuditEvent.Subject of(CommandView command, Route route) {
        String name = CommandShape.nameOf(command);
        Namespace namespace = new Namespace(command.database(), "");
        try {
            namespace = namespaceOf(command, route);
            if (command.commandName().kind() == CommandName.Kind.HANDSHAKE) {
                return new AuditEvent.Subject(namespace, name, null, null);
            }
            BsonValueView comment = command.get("comment");
            String parts = comment == null ? null : CommentParts.of(comment);
            return new AuditEvent.Subject(namespace, name, parts, QueryShapes.of(command));
        } catch (MalformedBsonException e) {
            // The client's fault, not ours: recorded all the same, with what could be read.
            return new AuditEvent.Subject(namespace, name, null, null);
        }
    }

    /** What it is about; throws what {@link QueryShapes#namespaceOf} does. */
    static Namespace namespaceOf(CommandView command, Route route) {
        return cut(route.kind() == Route.Kind.NOT_ROUTED ? QueryShapes.namespaceOf(command) : route.namespace());
    }

    /** What waits in the queue must not be as long as a client likes. */
    static Namespace cut(Namespace namespace) {
        return new Namespace(
                JsonFields.cut(namespace.database(), JsonFields.MAX_TEXT_CHARS),
                JsonFields.cut(namespace.collection(), JsonFields.MAX_TEXT_CHARS));
    }
}
