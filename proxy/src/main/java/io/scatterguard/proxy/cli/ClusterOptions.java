package io.scatterguard.proxy.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command of the command line reaches a cluster; exactly one. */
final class ClusterOptions {
    static final String URI = "A running cluster: its config servers, or a mongos. Put $${NAME} or $${file:path} in the"
            + " place of a password, in single quotes.";
    static final String CONFIG = "A running cluster: the catalog.uri of this configuration.";

    @Option(names = "--uri", paramLabel = "URI", description = URI)
    private @Nullable String uri;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = CONFIG)
    private @Nullable Path config;

    ClusterAccess access() {
        return access(uri, config);
    }

    static ClusterAccess access(@Nullable String uri, @Nullable Path config) {
        if (uri != null) {
            return ClusterAccess.ofUri(uri, System.getenv());
        }
        return ClusterAccess.ofConfig(config == null ? Path.of("scatterguard.yaml") : config);
    }
}
