package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.CommandName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which commands of which clients are meant; what is empty means all. In a glob {@code *} stands for any characters,
 * dots included, and {@code ?} for one.
 *
 * @param namespaces globs on {@code db.coll} (a database alone for a command that names no collection), any of which
 *     must match
 * @param commands commands, any of which it must be
 * @param client whose commands
 * @param commentTags globs on the words of the command's comment, one of which must match one
 * @param time when; null for always
 */
public record SelectorConfig(
        List<String> namespaces,
        List<CommandName> commands,
        ClientMatchConfig client,
        List<String> commentTags,
        @Nullable TimeWindowConfig time) {
    /** Selects everything. */
    public static final SelectorConfig ALL =
            new SelectorConfig(List.of(), List.of(), ClientMatchConfig.ALL, List.of(), null);

    public SelectorConfig {
        namespaces = List.copyOf(namespaces);
        commands = List.copyOf(commands);
        commentTags = List.copyOf(commentTags);
        Requirements requirements = new Requirements();
        for (String namespace : namespaces) {
            requirements.line("namespace", namespace);
        }
        for (String tag : commentTags) {
            requirements.line("commentTag", tag);
        }
        requirements
                .that(!commands.contains(CommandName.UNKNOWN), "commands", "unknown (expected: known commands)")
                .check();
    }

    /** Whether nothing is narrowed. */
    public boolean isAll() {
        return equals(ALL);
    }
}
