package io.scatterguard.proxy.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is different on the other side of a comparison. */
final class CompareOptions {
    @Option(
            names = "--compare",
            paramLabel = "V",
            description = "List what changes if the router has this release (docs/rehearsal.md), like 8.0.")
    private @Nullable String release;

    @Option(
            names = "--compare-rules",
            paramLabel = "FILE",
            description = "List what changes with these sharding rules in place of those of --rules.")
    private @Nullable Path rules;

    @Option(
            names = "--compare-catalog",
            paramLabel = "DUMP",
            description = "List what changes with this dump in place of --catalog, --uri or --config.")
    private @Nullable String dump;

    boolean isGiven() {
        return release != null || rules != null || dump != null;
    }

    /** The other side of {@code catalog}. */
    CatalogOptions of(CatalogOptions catalog) {
        return catalog.instead(release, rules, dump);
    }
}
