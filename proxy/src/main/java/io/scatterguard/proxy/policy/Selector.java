package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.SelectorConfig;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** Which commands of which clients are meant, ready for matching. */
final class Selector {
    private final Glob[] namespaces;
    private final EnumSet<CommandName> commands;
    private final @Nullable Glob appName;
    private final @Nullable Glob user;
    private final boolean userHasDatabase;

    Selector(SelectorConfig config) {
        this.namespaces = config.namespaces().stream().map(Glob::new).toArray(Glob[]::new);
        this.commands = EnumSet.noneOf(CommandName.class);
        this.commands.addAll(config.commands());
        this.appName = config.appName() == null ? null : new Glob(config.appName());
        this.user = config.user() == null ? null : new Glob(config.user());
        this.userHasDatabase = config.user() != null && config.user().contains("@");
    }

    boolean matches(CommandName command, Namespace namespace, ClientInfo client) {
        return (commands.isEmpty() || commands.contains(command))
                && matchesNamespace(namespace)
                && matches(appName, client.appName())
                && matchesUser(client.user(), client.userDatabase());
    }

    /**
     * Whether the user is meant: by {@code user@database} if the glob has an {@code @}, else by the name alone.
     *
     * @param name null for a client whose user is not known
     * @param database the database the user authenticated against, null if it is not known
     */
    boolean matchesUser(@Nullable String name, @Nullable String database) {
        if (!userHasDatabase) {
            return matches(user, name);
        }
        return name != null && database != null && matches(user, name + "@" + database);
    }

    /** Whether it lists {@code command}, rather than matching it by listing none. */
    boolean names(CommandName command) {
        return commands.contains(command);
    }

    private boolean matchesNamespace(Namespace namespace) {
        for (Glob glob : namespaces) {
            if (glob.matches(namespace)) {
                return true;
            }
        }
        return namespaces.length == 0;
    }

    /** What is not known matches no glob, not even {@code *}. */
    private static boolean matches(@Nullable Glob glob, @Nullable String value) {
        return glob == null || (value != null && glob.matches(value));
    }
}
