package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.ClientMatchConfig;
import io.scatterguard.proxy.config.OwnerConfig;
import io.scatterguard.proxy.config.SelectorConfig;
import io.scatterguard.proxy.routing.Route;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whose a command is: exactly one team's, or nobody's. Pure and immutable. */
public final class Owners {
    /** The owner of what no entry matches. */
    public static final String UNOWNED = "unowned";

    private record Entry(String owner, Selector selector) {}

    private final List<Entry> entries;

    /** @param configs the first that matches counts */
    public Owners(List<OwnerConfig> configs) {
        this.entries = configs.stream().map(Owners::entry).toList();
    }

    private static Entry entry(OwnerConfig config) {
        ClientMatchConfig client = new ClientMatchConfig(config.appName(), config.user(), null, List.of());
        return new Entry(
                config.owner(),
                new Selector(new SelectorConfig(config.namespaces(), List.of(), client, List.of(), null)));
    }

    /** Whose a command of {@code client} is; on a view also by what the view reads. */
    public String of(Route route, ClientInfo client) {
        return of(route.namespace(), route.viewOn(), client);
    }

    /** Whose a command of {@code client} on {@code namespace} is. */
    public String of(Namespace namespace, ClientInfo client) {
        return of(namespace, null, client);
    }

    private String of(Namespace namespace, @Nullable Namespace viewOn, ClientInfo client) {
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (matches(entry, namespace, client) || (viewOn != null && matches(entry, viewOn, client))) {
                return entry.owner();
            }
        }
        return UNOWNED;
    }

    private static boolean matches(Entry entry, Namespace namespace, ClientInfo client) {
        return entry.selector().matches(CommandName.UNKNOWN, namespace, client, Instant.EPOCH, null);
    }

    /** Every owner there can be, {@link #UNOWNED} last; so many values a label has at most. */
    public List<String> all() {
        return Stream.concat(entries.stream().map(Entry::owner), Stream.of(UNOWNED))
                .distinct()
                .toList();
    }
}
