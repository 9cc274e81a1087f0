package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Route;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one command shows only on a closer look. Each is looked at once, when the first rule asks for it. */
final class CloserLook {
    private final CommandView command;
    private final Route route;
    private final Evidence evidence;
    private @Nullable List<String> words;
    private @Nullable Map<Integer, Set<Note.Name>> notes;

    /** @param command is borrowed for as long as this is used */
    CloserLook(CommandView command, Route route, Evidence evidence) {
        this.command = command;
        this.evidence = evidence;
        this.route = route;
    }

    /** The words of its comment, see {@link CommentWords}. */
    List<String> commentWords() {
        if (words == null) {
            BsonValueView comment = command.get("comment");
            words = comment == null ? List.of() : CommentWords.of(comment);
        }
        return words;
    }

    /** The names of the notes on statement {@code index}. What cannot be read has none. */
    Set<Note.Name> notes(int index) {
        if (notes == null) {
            notes = read();
        }
        return notes.getOrDefault(index, Set.of());
    }

    /** By statement: a batch has many, and each of them is asked for. */
    private Map<Integer, Set<Note.Name>> read() {
        Map<Integer, Set<Note.Name>> read = new HashMap<>();
        try {
            for (Note note : evidence.notes(command, route)) {
                read.computeIfAbsent(note.statement(), statement -> EnumSet.noneOf(Note.Name.class))
                        .add(note.name());
            }
        } catch (MalformedBsonException e) {
            return Map.of();
        }
        return read;
    }
}
