package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.routing.RouterRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code explain}: says where a command goes and why. */
@Command(
        name = "explain",
        description = {
            "Says to which shards a router sends a command, and why: bounds on the shard key, ranges, chunks.",
            "The output shows values of the command and of chunk bounds."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard explain --catalog dump.json find.json",
            "  echo '{find: \"orders\", filter: {status: \"open\"}, $db: \"shop\"}' |",
            "      scatterguard explain --uri mongodb://mongos-a:27017/",
            "  scatterguard explain --config scatterguard.yaml --json find.json",
            "",
            "Exit codes: 0 explained, however it goes; 1 the cluster cannot be read; 2 wrong input."
        })
final class ExplainCommand implements Callable<Integer> {
    /** Where the catalog is; exactly one. */
    static final class From {
        @Option(names = "--catalog", paramLabel = "DUMP", description = "A catalog in a file, written by catalog dump.")
        private @Nullable String dump;

        @Option(names = "--uri", paramLabel = "URI", description = ClusterOptions.URI)
        private @Nullable String uri;

        @Option(
                names = {"-c", "--config"},
                paramLabel = "FILE",
                description = ClusterOptions.CONFIG)
        private @Nullable Path config;
    }

    @ArgGroup(multiplicity = "1")
    private From from = new From();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "Commands as a driver sends them, in Extended JSON, one after the other; - is standard input."
                    + " Default: -.")
    private String file = "-";

    @Option(names = "--db", paramLabel = "NAME", description = "The database of commands without $db.")
    private @Nullable String db;

    @Option(
            names = "--router-version",
            paramLabel = "V",
            description = "The router's release, major.minor. Default: that of the server that --uri or --config"
                    + " reaches (routerVersion of the configuration before it); with --catalog the newest one known.")
    private @Nullable String routerVersion;

    @Option(names = "--json", description = "One JSON document a line for each command (docs/explain.md).")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        RouterRelease asked = release(routerVersion);
        List<BsonDocument> commands = CommandDocuments.read(InputFile.text(file), InputFile.name(file));
        Explainer.check(commands, db);
        Explainer explainer = from.dump == null ? live(commands, asked) : dumped(from.dump, asked);
        spec.commandLine().getOut().print(json ? explainer.json(commands) : explainer.text(commands));
        spec.commandLine().getOut().flush();
        return ExitCode.OK.code();
    }

    private Explainer dumped(String dump, @Nullable RouterRelease asked) {
        CatalogLoad catalog = CatalogBuilder.load(InputFile.catalog(dump), ShardRegistry.empty(), Instant.now());
        return new Explainer(catalog, asked == null ? RouterRelease.DEFAULT : asked, db);
    }

    private Explainer live(List<BsonDocument> commands, @Nullable RouterRelease asked) throws IOException {
        ClusterAccess cluster = ClusterOptions.access(from.uri, from.config);
        RouterRelease configured = asked == null ? release(cluster.routerVersion()) : asked;
        return cluster.ask(reader -> {
            RouterRelease release = configured == null ? RouterRelease.parse(reader.serverVersion()) : configured;
            return new Explainer(reader.load(Explainer.mentioned(commands, db)), release, db);
        });
    }

    private static @Nullable RouterRelease release(@Nullable String version) {
        try {
            return version == null ? null : RouterRelease.parse(version);
        } catch (IllegalArgumentException e) {
            throw new InputException("--router-version: " + version + " (expected: major.minor, like 6.0)");
        }
    }
}
