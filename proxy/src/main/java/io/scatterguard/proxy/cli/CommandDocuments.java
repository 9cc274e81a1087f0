package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.ExtendedJson;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** Reads commands: one document in Extended JSON, or in the shell's notation, after the other. */
final class CommandDocuments {
    private CommandDocuments() {}

    /**
     * The documents in {@code text}, at least one; only blanks between them.
     *
     * @param source the file's name, for messages
     * @throws InputException if it is nothing of the kind; the message says where
     */
    static List<BsonDocument> read(String text, String source) {
        ExtendedJson documents = new ExtendedJson(text);
        List<BsonDocument> commands = new ArrayList<>();
        while (documents.hasNext()) {
            try {
                commands.add(documents.next());
            } catch (IllegalArgumentException e) {
                throw new InputException(source + ", " + documents.place() + ": " + e.getMessage());
            }
        }
        if (commands.isEmpty()) {
            throw new InputException(
                    source + ": no command (expected: {find: \"orders\", $db: \"shop\"}, for instance)");
        }
        return commands;
    }
}
