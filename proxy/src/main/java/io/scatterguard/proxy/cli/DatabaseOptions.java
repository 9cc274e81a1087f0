package io.scatterguard.proxy.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database a command of the command line looks at; exactly one. */
final class DatabaseOptions {
    @Option(
            names = "--uri",
            paramLabel = "URI",
            description = "A running standalone, replica set or mongos. Put $${NAME} or $${file:path} in the place of a"
                    + " password, in single quotes.")
    private @Nullable String uri;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description =
                    "The catalog.uri of this configuration, or where there is none the first listener's upstream.")
    private @Nullable Path config;

    ClusterAccess access() {
        return uri != null
                ? ClusterAccess.ofUri(uri, System.getenv())
                : ClusterAccess.databaseOfConfig(config == null ? Path.of("scatterguard.yaml") : config);
    }
}
