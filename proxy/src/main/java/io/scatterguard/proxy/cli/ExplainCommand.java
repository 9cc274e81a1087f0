package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.routing.RouterRelease;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    @Mixin
    private CatalogOptions catalog = new CatalogOptions();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "Commands as a driver sends them, in Extended JSON, one after the other; - is standard input."
                    + " Default: -.")
    private @Nullable String file;

    @Option(names = "--db", paramLabel = "NAME", description = "The database of commands without $db.")
    private @Nullable String db;

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
        RouterRelease asked = catalog.routerVersion(spec.commandLine());
        if (vectors != null || commands != null) {
            return check(asked, catalog.dump()).code();
        }
        if (!catalog.isGiven()) {
            throw usage("give the catalog: --catalog DUMP, --uri URI or --config FILE; or --rules FILE");
        }
        String dump = catalog.dump();
        if (dump != null && InputFile.isStandardInput(dump) && InputFile.isStandardInput(file())) {
            throw usage("--catalog -: the commands come from standard input already (give one of them as a file)");
        }
        List<BsonDocument> documents = CommandDocuments.read(InputFile.text(file()), InputFile.name(file()));
        Explainer.check(documents, db);
        CatalogOptions.Loaded loaded = catalog.load(spec.commandLine(), Explainer.mentioned(documents, db));
        Explainer explainer = new Explainer(loaded.catalog(), loaded.release(), db);
        spec.commandLine().getOut().print(json ? explainer.json(documents) : explainer.text(documents));
        StandardOutput.flush(spec.commandLine().getOut());
        return ExitCode.OK.code();
    }

    private ExitCode check(@Nullable RouterRelease asked, @Nullable String dump) throws IOException {
        if (file != null || db != null || json || catalog.hasRules()) {
            throw usage("--vectors and --commands take no FILE, --db, --json or --rules: each line holds all of it");
        }
        ExplainCheck check =
                new ExplainCheck(spec.commandLine().getOut(), spec.commandLine().getErr());
        if (vectors != null && commands == null && !catalog.hasSource()) {
            return check.vectors(vectors, asked);
        }
        if (vectors == null && commands != null && dump != null) {
            if (InputFile.isStandardInput(dump) && InputFile.isStandardInput(commands)) {
                throw usage("--catalog - and --commands -: standard input is one of them (give the other as a file)");
            }
            CatalogDump read = InputFile.dump(dump);
            return check.commands(
                    dump, CatalogOptions.load(dump, read), commands, CatalogOptions.release(dump, read, asked));
        }
        throw usage("give either --vectors FILE, or --catalog DUMP and --commands FILE");
    }

    private String file() {
        return file == null ? "-" : file;
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
