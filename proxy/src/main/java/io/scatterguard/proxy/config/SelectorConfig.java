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
 * @param appName a glob on the client's application name; never matches a client without one
 * @param user a glob on the authenticated user, on {@code user@database} if it has an {@code @}; never matches before
 *     authentication
 */
public record SelectorConfig(
        List<String> namespaces,
        List<CommandName> commands,
        @Nullable String appName,
        @Nullable String user) {
    /** Selects everything. */
    public static final SelectorConfig ALL = new SelectorConfig(List.of(), List.of(), null, null);

    public SelectorConfig {
        namespaces = List.copyOf(namespaces);
        commands = List.copyOf(commands);
        Requirements requirements = new Requirements().line("appName", appName).line("user", user);
        for (String namespace : namespaces) {
            requirements.line("namespace", namespace);
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
