package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.CatalogException;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.catalog.DeclaredCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.routing.RouterRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code explain}: says where a command goes and why, or checks many against what is expected of them. */
@Command(
        name = "explain",
        description = {
            "Says to which shards a router sends a command, and why: bounds on the shard key, ranges, chunks.",
            "The output shows values of the command and of chunk bounds.",
            "With --vectors or --commands: predicts many and compares each with what is expected of it."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard explain --catalog dump.json find.json",
            "  echo '{find: \"orders\", filter: {status: \"open\"}, $db: \"shop\"}' |",
            "      scatterguard explain --uri mongodb://mongos-a:27017/",
            "  scatterguard explain --config scatterguard.yaml --json find.json",
            "  scatterguard explain --rules rules.yaml find.json",
            "  scatterguard explain --vectors vectors.jsonl",
            "  scatterguard explain --catalog dump.json --commands commands.jsonl --router-version 6.3",
            "",
            "Exit codes: 0 explained, however it goes, and every check agrees; 1 the cluster cannot be read, or a",
            "check disagrees; 2 wrong input."
        })
final class ExplainCommand implements Callable<Integer> {
    /** Where the catalog is; one at most. */
    static final class From {
        @Option(
                names = "--catalog",
                paramLabel = "DUMP",
                description = "A catalog in a file, written by catalog dump; - is standard input.")
        private @Nullable String dump;

        @Option(names = "--uri", paramLabel = "URI", description = ClusterOptions.URI)
        private @Nullable String uri;

        @Option(
                names = {"-c", "--config"},
                paramLabel = "FILE",
                description = ClusterOptions.CONFIG)
        private @Nullable Path config;
    }

    @ArgGroup(multiplicity = "0..1")
    private @Nullable From from;

    @Option(
            names = "--rules",
            paramLabel = "FILE",
            description = "Declared sharding rules (docs/sharding-rules.md): alone, or over the catalog.")
    private @Nullable Path rules;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "Commands as a driver sends them, in Extended JSON, one after the other; - is standard input."
                    + " Default: -.")
    private @Nullable String file;

    @Option(names = "--db", paramLabel = "NAME", description = "The database of commands without $db.")
    private @Nullable String db;

    @Option(
            names = "--router-version",
            paramLabel = "V",
            description = {
                "The router's release, like 6.3. Default: that of the server that --uri or --config reaches (routerVersion",
                "of the configuration before it); with --catalog that of the server that was dumped, or where the dump does",
                "not say it the one that the proxy assumes of a router it does not know yet. With --vectors: leave out those",
                "that do not hold for it; without it, each is checked for the ends of the range it names. A vector without",
                "versions is about 6.3, and holds as far as is known for 4.4 to 8.0; so does a case without validFor."
            })
    private @Nullable String routerVersion;

    @Option(names = "--json", description = "One JSON document a line for each command (docs/explain.md).")
    private boolean json;

    @Option(
            names = "--vectors",
            paramLabel = "FILE",
            description = {
                "Checks targeting vectors or cases, one a line; each describes its own collection. - is standard input,",
                "here and for --commands. Formats: docs/explain.md."
            })
    private @Nullable String vectors;

    @Option(
            names = "--commands",
            paramLabel = "FILE",
            description = {
                "Checks commands on the catalog of --catalog, one a line:",
                "{id, ns, command, shards?, explainError?, counted?, error?}."
            })
    private @Nullable String commands;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        RouterRelease asked = release(routerVersion);
        From source = from;
        if (vectors != null || commands != null) {
            return check(asked, source == null ? null : source.dump).code();
        }
        if (source == null) {
            if (rules == null) {
                throw usage("give the catalog: --catalog DUMP, --uri URI or --config FILE; or --rules FILE");
            }
            source = new From();
        }
        if (source.dump != null && InputFile.isStandardInput(source.dump) && InputFile.isStandardInput(file())) {
            throw usage("--catalog -: the commands come from standard input already (give one of them as a file)");
        }
        List<BsonDocument> documents = CommandDocuments.read(InputFile.text(file()), InputFile.name(file()));
        Explainer.check(documents, db);
        Explainer explainer = explainer(source, documents, asked);
        spec.commandLine().getOut().print(json ? explainer.json(documents) : explainer.text(documents));
        StandardOutput.flush(spec.commandLine().getOut());
        return ExitCode.OK.code();
    }

    private ExitCode check(@Nullable RouterRelease asked, @Nullable String dump) throws IOException {
        if (file != null || db != null || json || rules != null) {
            throw usage("--vectors and --commands take no FILE, --db, --json or --rules: each line holds all of it");
        }
        ExplainCheck check =
                new ExplainCheck(spec.commandLine().getOut(), spec.commandLine().getErr());
        if (vectors != null && commands == null && from == null) {
            return check.vectors(vectors, asked);
        }
        if (vectors == null && commands != null && dump != null) {
            if (InputFile.isStandardInput(dump) && InputFile.isStandardInput(commands)) {
                throw usage("--catalog - and --commands -: standard input is one of them (give the other as a file)");
            }
            CatalogDump read = InputFile.dump(dump);
            return check.commands(dump, load(dump, read), commands, release(dump, read, asked));
        }
        throw usage("give either --vectors FILE, or --catalog DUMP and --commands FILE");
    }

    private String file() {
        return file == null ? "-" : file;
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private Explainer explainer(From source, List<BsonDocument> documents, @Nullable RouterRelease asked)
            throws IOException {
        if (source.dump != null) {
            CatalogDump read = InputFile.dump(source.dump);
            RouterRelease release = release(source.dump, read, asked);
            return new Explainer(declared(load(source.dump, read), List.of(), release), release, db);
        }
        ScatterguardConfig config = source.config == null ? null : ConfigReader.read(source.config);
        List<ShardingRule> configured = config == null ? List.of() : config.shardingRules();
        boolean alone = config == null ? source.uri == null : config.catalog().uri() == null;
        if (alone) {
            RouterRelease named = asked == null && config != null ? release(config.routerVersion()) : asked;
            RouterRelease release = named == null ? RouterRelease.DEFAULT : named;
            return new Explainer(declared(CatalogLoad.ofNothing(Instant.now()), configured, release), release, db);
        }
        ClusterAccess cluster = config == null ? ClusterOptions.access(source.uri, null) : ClusterAccess.of(config);
        return live(cluster, configured, documents, asked);
    }

    /** The rules of {@code --rules} come after those of the configuration. */
    private CatalogLoad declared(CatalogLoad cluster, List<ShardingRule> configured, RouterRelease release) {
        List<ShardingRule> all = new ArrayList<>(configured);
        if (rules != null) {
            all.addAll(RulesFile.read(rules));
        }
        DeclaredCatalog declared = DeclaredKeys.catalog(all, release);
        List<CatalogProblem> problems = new ArrayList<>(cluster.problems());
        problems.addAll(declared.problems());
        return new CatalogLoad(declared.apply(cluster.snapshot()), problems, cluster.clusterId());
    }

    private static CatalogLoad load(String dump, CatalogDump read) {
        try {
            return CatalogBuilder.load(read.catalog(), ShardRegistry.empty(), Instant.now());
        } catch (CatalogException e) {
            throw new InputException(InputFile.name(dump) + ": " + e.getMessage());
        }
    }

    /** That of the option, else that of the server that was dumped. */
    private static RouterRelease release(String dump, CatalogDump read, @Nullable RouterRelease asked) {
        if (asked != null || read.serverVersion() == null) {
            return asked == null ? RouterRelease.DEFAULT : asked;
        }
        try {
            return RouterRelease.parse(read.serverVersion());
        } catch (IllegalArgumentException e) {
            throw new InputException(InputFile.name(dump) + ": \"serverVersion\": \"" + read.serverVersion()
                    + "\" (expected: a release like 6.0.5; or give --router-version)");
        }
    }

    private Explainer live(
            ClusterAccess cluster,
            List<ShardingRule> configured,
            List<BsonDocument> documents,
            @Nullable RouterRelease asked)
            throws IOException {
        RouterRelease named = asked == null ? release(cluster.routerVersion()) : asked;
        return cluster.ask(reader -> {
            RouterRelease release = named == null ? RouterRelease.parse(reader.serverVersion()) : named;
            CatalogLoad load = reader.load(Explainer.mentioned(documents, db));
            return new Explainer(declared(load, configured, release), release, db);
        });
    }

    private @Nullable RouterRelease release(@Nullable String version) {
        try {
            return version == null ? null : RouterRelease.parse(version);
        } catch (IllegalArgumentException e) {
            throw usage("--router-version: " + version + " (expected: major.minor, like 6.0)");
        }
    }
}
