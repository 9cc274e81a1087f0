package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.CatalogException;
import io.scatterguard.proxy.catalog.CatalogRules;
import io.scatterguard.proxy.catalog.CatalogRules.Imported;
import io.scatterguard.proxy.catalog.CatalogRules.Placement;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.RulesWriter;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.sources.Declaration;
import io.scatterguard.proxy.sources.SourceRules;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rules import}: writes a file of sharding rules from what there is. */
@Command(
        name = "import",
        description = {
            "Writes a file of sharding rules from a cluster's catalog: the primaries of its databases, its sharded"
                    + " collections, its views; or from the shard keys that an application's sources declare.",
            "With --chunks it holds the bounds of the chunks, and those are values of your documents: look at the file"
                    + " before you give it away."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard rules import --config scatterguard.yaml --output rules.yaml",
            "  scatterguard rules import --uri mongodb://mongos-a:27017/ --namespace shop --chunks",
            "  scatterguard rules import --catalog dump.json --shards 4",
            "  scatterguard rules import --source src/main --database shop --output rules.yaml",
            "",
            "Exit codes: 0 written, 1 nothing to declare or the cluster cannot be read, 2 wrong command line or input."
        })
final class RulesImportCommand implements Callable<Integer> {
    private static final List<String> HEAD = List.of(
            "Sharding rules, written by: scatterguard rules import",
            "The key \"shardingRulesFile\" of the configuration takes this file.");

    private static final String BOUNDS =
            "The bounds of chunks are values of documents: look at this file before you give it away.";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private Origin origin = new Origin();

    /** Where the rules come from; exactly one. */
    static final class Origin {
        @Option(names = "--uri", paramLabel = "URI", description = ClusterOptions.URI)
        private @Nullable String uri;

        @Option(
                names = {"-c", "--config"},
                paramLabel = "FILE",
                description = ClusterOptions.CONFIG)
        private @Nullable Path config;

        @Option(
                names = "--catalog",
                paramLabel = "DUMP",
                description = "A file of \"scatterguard catalog dump\"; - is standard input.")
        private @Nullable String dump;

        @Option(
                names = "--source",
                paramLabel = "DIR",
                description = "Sources for Spring Data MongoDB, mongoose, Doctrine MongoDB ODM, Mongoid or MongoEngine;"
                        + " may be repeated. They are read, never run. Needs --database.")
        private List<Path> sources = new ArrayList<>();
    }

    @ArgGroup
    private Distribution distribution = new Distribution();

    /** How the chunks are declared; at most one. */
    static final class Distribution {
        @Option(names = "--chunks", description = "Every chunk with its bounds and its shard.")
        private boolean chunks;

        @Option(
                names = "--shards",
                paramLabel = "N",
                description = "Every collection on N shards. Default: on as many as own chunks of it.")
        private @Nullable Integer shards;
    }

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description = "With --source: the database of the collections whose declarations name none.")
    private @Nullable String database;

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            description = "Only this collection or view, db.coll, or this database; may be repeated.")
    private List<String> namespaces = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Default: -, standard output.")
    private @Nullable String output;

    @Override
    public Integer call() throws IOException {
        Integer shards = distribution.shards;
        if (shards != null && (shards < 1 || shards > Shards.MAX)) {
            throw new InputException("--shards " + shards + " (expected: 1.." + Shards.MAX + ")");
        }
        if (origin.sources.isEmpty() == (database != null)) {
            throw new InputException(
                    database == null
                            ? "--database: missing (expected: a name with --source, as sources seldom say the database)"
                            : "--database " + database + ": of no effect without --source");
        }
        if (database != null && distribution.chunks) {
            throw new InputException("--chunks: sources hold none (expected: --shards N with --source, or neither)");
        }
        return (database == null ? importCatalog() : importSources(database)).code();
    }

    private ExitCode importSources(String name) throws IOException {
        Shards shards = distribution.shards == null ? Shards.DEFAULT : new Shards(distribution.shards);
        SourceRules found;
        try {
            found = SourceRules.of(origin.sources, name, shards);
        } catch (NoSuchFileException e) {
            throw new InputException("--source " + e.getMessage() + ": no such file or folder");
        }
        PrintWriter err = spec.commandLine().getErr();
        found.unreadable().forEach(line -> err.println("not read: " + line));
        Selection selection = new Selection(namespaces);
        List<Declaration> declarations = found.declarations().stream()
                .filter(declaration -> selection.test(declaration.rule().namespace()))
                .toList();
        if (declarations.isEmpty()) {
            err.println("no declared shard key in " + found.files() + " files (nothing was written)");
            return ExitCode.FAILED;
        }
        StringWriter text = new StringWriter();
        RulesWriter writer = new RulesWriter(text, HEAD);
        for (Declaration declaration : declarations) {
            writer.rule(declaration.rule(), List.of("from " + declaration.origin()));
        }
        writer.end();
        OutputFile.write(spec.commandLine(), output, text.getBuffer(), declarations.size() + " rules");
        return ExitCode.OK;
    }

    private ExitCode importCatalog() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        Selection selection = new Selection(namespaces);
        Read read = catalog(selection);
        Imported imported = read.rules();
        imported.problems().forEach(p -> err.println("problem: " + p.message()));
        if (!imported.hasCollections()) {
            err.println("no sharded collection" + (namespaces.isEmpty() ? "" : " of " + String.join(", ", namespaces))
                    + " (nothing was written)");
            return ExitCode.FAILED;
        }
        List<String> head = new ArrayList<>(HEAD);
        if (read.serverVersion() != null) {
            head.add("From a cluster of release " + read.serverVersion()
                    + ": in front of a server of another one, set \"routerVersion\".");
        }
        if (distribution.chunks) {
            head.add(BOUNDS);
        }
        StringWriter text = new StringWriter();
        RulesWriter writer = new RulesWriter(text, head);
        for (ShardingRule rule : imported.rules()) {
            writer.rule(rule, List.of());
        }
        writer.end();
        OutputFile.write(
                spec.commandLine(), output, text.getBuffer(), imported.rules().size() + " rules");
        return ExitCode.OK;
    }

    /** The rules of a catalog, and the release of the cluster, if that is known. */
    private record Read(Imported rules, @Nullable String serverVersion) {}

    private Read catalog(Selection selection) throws IOException {
        Placement placement = new Placement(distribution.chunks, distribution.shards);
        if (origin.dump != null) {
            CatalogDump dump = InputFile.dump(origin.dump);
            try {
                return new Read(CatalogRules.of(dump.catalog(), selection, placement), dump.serverVersion());
            } catch (CatalogException e) {
                throw new InputException(InputFile.name(origin.dump) + ": " + e.getMessage());
            }
        }
        PrintWriter err = spec.commandLine().getErr();
        return ClusterOptions.access(origin.uri, origin.config).ask(reader -> {
            Imported rules = placement.chunks()
                    ? CatalogRules.of(reader.dump(selection), selection, placement)
                    : CatalogRules.of(reader.owned(selection), selection, placement);
            reader.leftOut().stream().filter(line -> line.contains("views")).forEach(err::println);
            return new Read(rules, reader.serverVersion());
        });
    }
}
