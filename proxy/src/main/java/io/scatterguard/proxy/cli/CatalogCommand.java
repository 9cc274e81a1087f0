package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.CatalogException;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code catalog}: writes a cluster's catalog into a file, and looks at such a file. */
@Command(
        name = "catalog",
        description = "Writes a cluster's catalog into a file that can be attached to a report, or looks at one.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  scatterguard catalog dump --config scatterguard.yaml --output dump.json",
            "  scatterguard catalog dump --uri mongodb://mongos-a:27017/ --namespace shop.orders",
            "  scatterguard catalog load dump.json"
        })
final class CatalogCommand {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Command(
            name = "dump",
            description = {
                "Writes the catalog as one document in Extended JSON: shards, databases, collections, chunks, tags.",
                "It holds host names and chunk bounds, and chunk bounds are values of your documents: look at the"
                        + " file before you give it away."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  scatterguard catalog dump --config scatterguard.yaml --output dump.json"})
    int dump(
            @ArgGroup(multiplicity = "1") ClusterOptions cluster,
            @Option(
                            names = {"-o", "--output"},
                            paramLabel = "FILE",
                            description = "Default: -, standard output.")
                    @Nullable String output,
            @Option(
                            names = "--namespace",
                            paramLabel = "NS",
                            description = "Only this collection, db.coll, or this database; may be repeated.")
                    @Nullable List<String> namespaces)
            throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        Selection selection = new Selection(namespaces == null ? List.of() : namespaces);
        CatalogDump dump = cluster.access().ask(reader -> {
            RawCatalog read = selection.databasesOf(reader.dump(selection));
            reader.leftOut().forEach(err::println);
            return new CatalogDump(read, reader.serverVersion());
        });
        RawCatalog raw = dump.catalog();
        if (raw.databases().isEmpty() && selection.isNothingOf(raw)) {
            throw new InputException("--namespace " + String.join(", ", selection.names())
                    + ": neither a database nor a sharded collection (nothing was written)");
        }
        StringWriter text = new StringWriter();
        dump.write(text);
        OutputFile.write(spec.commandLine(), output, text.getBuffer(), CatalogSummary.counts(raw));
        problems(raw).forEach(problem -> err.println("problem: " + problem.subject() + ": " + problem.message()));
        selection.unmatched(raw).forEach(name -> err.println("--namespace " + name + ": no sharded collection"));
        return ExitCode.OK.code();
    }

    /** A dump of broken metadata is a report worth having. */
    private static List<CatalogProblem> problems(RawCatalog raw) {
        try {
            return CatalogBuilder.load(raw, ShardRegistry.empty(), Instant.now())
                    .problems();
        } catch (CatalogException e) {
            return List.of(new CatalogProblem("config.shards", String.valueOf(e.getMessage())));
        }
    }

    @Command(
            name = "load",
            description =
                    "Reads a dump and says what is in it, with every problem found. Exit code 1 if there are any.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  scatterguard catalog load dump.json"})
    int load(@Parameters(paramLabel = "FILE", description = "The dump; - is standard input.") String file)
            throws IOException {
        RawCatalog raw = InputFile.dump(file).catalog();
        CatalogLoad load;
        try {
            load = CatalogBuilder.load(raw, ShardRegistry.empty(), Instant.now());
        } catch (CatalogException e) {
            throw new InputException(InputFile.name(file) + ": " + e.getMessage());
        }
        List<CatalogProblem> problems = new ArrayList<>(load.problems());
        problems.addAll(DanglingNames.of(raw));
        spec.commandLine().getOut().print(CatalogSummary.of(raw, load, problems));
        StandardOutput.flush(spec.commandLine().getOut());
        return problems.isEmpty() ? ExitCode.OK.code() : ExitCode.FAILED.code();
    }
}
