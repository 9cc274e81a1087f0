package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ResolvedView;
import io.scatterguard.proxy.config.NearestName;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a person may have got wrong about a command, or should know about the catalog, one sentence each. */
final class CommandHints {
    private final CatalogSnapshot catalog;
    private final List<CatalogProblem> problems;
    private final List<String> hints = new ArrayList<>();

    private CommandHints(CatalogLoad catalog) {
        this.catalog = catalog.snapshot();
        this.problems = catalog.problems();
    }

    static List<String> of(CommandView command, Route route, CatalogLoad catalog) {
        CommandHints hints = new CommandHints(catalog);
        hints.add(command.explained().orElse(command), route);
        return hints.hints;
    }

    private void add(CommandView command, Route route) {
        if (command.commandName() == CommandName.UNKNOWN) {
            List<String> known =
                    Arrays.stream(CommandName.values()).map(CommandName::text).toList();
            hints.add("No command \"" + command.name() + "\" is known, so it is taken for one that is not routed."
                    + meant(command.name(), known));
        }
        for (CatalogProblem problem : problems) {
            if (problem.subject().equals(route.namespace().fullName())) {
                hints.add("The catalog is broken there: " + problem.message());
            }
        }
        boolean untracked = route.worst().reason() == Reason.UNSHARDED && route.table() == null;
        if (untracked) {
            untracked(route.namespace());
        }
    }

    private void untracked(Namespace namespace) {
        ResolvedView view = catalog.view(namespace);
        if (view != null) {
            hints.add("The view " + namespace + " reads " + view.underlying() + ", which counts as not sharded.");
            return;
        }
        if (catalog.primary(namespace.database()) < 0) {
            hints.add("The database " + namespace.database() + " is not in config.databases."
                    + meant(
                            namespace.database(),
                            List.copyOf(catalog.primaries().keySet())));
            return;
        }
        if (catalog.table(Namespace.parse(namespace.collection())) != null) {
            hints.add("The collection is named with its database; name it without: \""
                    + Namespace.parse(namespace.collection()).collection() + "\".");
            return;
        }
        List<String> tracked = catalog.tables().keySet().stream()
                .map(Namespace::fullName)
                .sorted()
                .toList();
        boolean alone = catalog.primaries().containsKey(CatalogSnapshot.ANY_DATABASE);
        hints.add((alone ? "No rule declares " : "config.collections has no ") + namespace
                + ", so it counts as not sharded."
                + meant(namespace.fullName(), tracked));
    }

    private static String meant(String name, List<String> known) {
        return NearestName.of(name, known)
                .map(near -> " Did you mean " + near + "?")
                .orElse("");
    }
}
