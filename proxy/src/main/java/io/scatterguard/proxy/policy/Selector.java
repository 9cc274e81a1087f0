package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.ClientMatchConfig;
import io.scatterguard.proxy.config.SelectorConfig;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which commands of which clients are meant, ready for matching. */
final class Selector {
    private final Glob[] namespaces;
    private final EnumSet<CommandName> commands;
    private final @Nullable Glob appName;
    private final @Nullable Glob user;
    private final boolean userHasDatabase;
    private final @Nullable Glob driver;
    private final AddressRanges addresses;
    private final Glob[] tags;
    private final @Nullable TimeWindow time;

    Selector(SelectorConfig config) {
        ClientMatchConfig client = config.client();
        this.namespaces = globs(config.namespaces());
        this.commands = EnumSet.noneOf(CommandName.class);
        this.commands.addAll(config.commands());
        this.appName = glob(client.appName());
        this.user = glob(client.user());
        this.userHasDatabase = client.user() != null && client.user().contains("@");
        this.driver = glob(client.driver());
        this.addresses = new AddressRanges(client.addresses());
        this.tags = globs(config.commentTags());
        this.time = config.time() == null ? null : new TimeWindow(config.time());
    }

    private static Glob[] globs(List<String> patterns) {
        return patterns.stream().map(Glob::new).toArray(Glob[]::new);
    }

    private static @Nullable Glob glob(@Nullable String pattern) {
        return pattern == null ? null : new Glob(pattern);
    }

    /** Whether it asks for the words of a command's comment. */
    boolean looksAtComments() {
        return tags.length > 0;
    }

    /** @param look at the same command; null only where this does not look at comments */
    boolean matches(
            CommandName command, Namespace namespace, ClientInfo client, Instant now, @Nullable CloserLook look) {
        return (commands.isEmpty() || commands.contains(command))
                && matchesNamespace(namespace)
                && matchesClient(client)
                && (time == null || time.holds(now))
                && (tags.length == 0 || (look != null && matchesComment(look.commentWords())));
    }

    private boolean matchesClient(ClientInfo client) {
        return matches(appName, client.appName())
                && matchesUser(client.user(), client.userDatabase())
                && matches(driver, client.driver())
                && addresses.hold(client.address());
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

    private boolean matchesComment(List<String> words) {
        for (String word : words) {
            for (Glob tag : tags) {
                if (tag.matches(word)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What is not known matches no glob, not even {@code *}. */
    private static boolean matches(@Nullable Glob glob, @Nullable String value) {
        return glob == null || (value != null && glob.matches(value));
    }
}
