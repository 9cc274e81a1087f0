package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.validation.Finding;
import io.scatterguard.proxy.validation.Finding.Severity;
import io.scatterguard.proxy.validation.RulesCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rules validate}: checks a rules file, and a database against it. */
@Command(
        name = "validate",
        description = {
            "Checks a rules file, and with --uri or --config the database that it is about: what would keep the"
                    + " collections from being sharded this way, and where verdicts would be wrong.",
            "It only reads, and prints names and counts, never a value of a document.",
            "Exit code 0: no errors; 1: errors, or the database cannot be read; 2: the file cannot be used."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard rules validate rules.yaml",
            "  scatterguard rules validate rules.yaml --uri mongodb://staging:27017/",
            "  scatterguard rules validate rules.yaml --config scatterguard.yaml --sample 0 --json"
        })
final class RulesValidateCommand implements Callable<Integer> {
    private static final int MAX_SAMPLE = 100_000;
    private static final JsonWriterSettings JSON =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    @Parameters(
            paramLabel = "FILE",
            description = "The rules file, YAML (docs/sharding-rules.md); - is standard input.")
    private String file = "-";

    @ArgGroup
    private @Nullable DatabaseOptions database;

    @Option(
            names = "--sample",
            paramLabel = "N",
            description = "Documents of each collection that are looked at for the fields of the key; 0 for none."
                    + " Default: ${DEFAULT-VALUE}.")
    private int sample = 1_000;

    @Option(names = "--json", description = "One line of JSON a finding, then one with the counts.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (sample < 0 || sample > MAX_SAMPLE) {
            throw new InputException("--sample " + sample + " (expected: 0.." + MAX_SAMPLE + ")");
        }
        List<ShardingRule> rules = RulesFile.parse(InputFile.text(file), InputFile.name(file));
        List<Finding> findings = new ArrayList<>(RulesCheck.declared(rules));
        if (database != null) {
            findings.addAll(database.access().askDatabase(reader -> {
                if (reader.isConfigServer()) {
                    throw new InputException("a config server answered, which holds none of the collections"
                            + " (expected: --uri of a mongos, or of the replica set or standalone to be sharded)");
                }
                return RulesCheck.live(rules, reader, sample);
            }));
        }
        print(rules.size(), findings);
        return (findings.stream().anyMatch(Finding::isError) ? ExitCode.FAILED : ExitCode.OK).code();
    }

    private void print(int rules, List<Finding> findings) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        for (Finding finding : findings) {
            out.println(json ? finding.toDocument().toJson(JSON) : finding);
        }
        int errors = count(findings, Severity.ERROR);
        int warnings = count(findings, Severity.WARNING);
        int notes = count(findings, Severity.NOTE);
        out.println(
                json
                        ? new BsonDocument("rules", new BsonInt32(rules))
                                .append("errors", new BsonInt32(errors))
                                .append("warnings", new BsonInt32(warnings))
                                .append("notes", new BsonInt32(notes))
                                .toJson(JSON)
                        : many(rules, "rule") + ": " + many(errors, "error") + ", " + many(warnings, "warning") + ", "
                                + many(notes, "note"));
        StandardOutput.flush(out);
    }

    private static int count(List<Finding> findings, Severity severity) {
        return (int) findings.stream().filter(f -> f.severity() == severity).count();
    }

    private static String many(int count, String word) {
        return count + " " + word + (count == 1 ? "" : "s");
    }
}
