package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import java.util.List;

/**
 * What is found out about a command only once a rule asks for it, because it costs another look at the command. Commands are
 * borrowed. What cannot be read raises {@link io.scatterguard.protocol.bson.MalformedBsonException}.
 */
@FunctionalInterface
public interface Evidence {
    /** The hash of the command's shape: equal for equal shapes on the same namespace. */
    String shapeHash(CommandView command);

    /** The notes on the command, as {@link Notes#of}. */
    default List<Note> notes(CommandView command, Route route) {
        return Notes.of(command, route);
    }
}
