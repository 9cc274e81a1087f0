package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.offline.AuditLine;
import io.scatterguard.proxy.offline.LineFormatException;
import io.scatterguard.proxy.offline.PolicyCase;
import io.scatterguard.proxy.offline.PolicyTrial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code policy test}: what a policy would have done with commands of a file or an audit log. */
@Command(
        name = "test",
        description = {
            "Says what each rule of a policy would do with recorded commands, as if it were enforced,",
            "and with --compare what changes from another policy to it. The output shows no values of commands."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard policy test scatterguard.yaml audit.jsonl",
            "  scatterguard policy test new.yaml audit.jsonl --compare scatterguard.yaml --format json",
            "  scatterguard policy test new.yaml commands.jsonl --catalog dump.json",
            "",
            "Exit codes: 0 tested, and with --compare nothing changes; 1 something changes, or the cluster cannot be",
            "read; 2 wrong input, or a line that cannot be read."
        })
final class PolicyTestCommand implements Callable<Integer> {
    /** How the result is written. */
    enum Format {
        TEXT,
        JSON
    }

    @Parameters(index = "0", paramLabel = "POLICY", description = "A configuration, of which the policy is taken.")
    private Path policy = Path.of("scatterguard.yaml");

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "Audit records, or commands as explain --commands reads them, one a line; - is standard input.")
    private List<String> files = List.of();

    @Option(
            names = "--compare",
            paramLabel = "OTHER",
            description = "The configuration with the policy of before: says which shapes are treated differently now.")
    private @Nullable Path other;

    @Option(names = "--format", paramLabel = "FORMAT", description = "text or json. Default: text.")
    private Format format = Format.TEXT;

    @Mixin
    private CatalogOptions catalog = new CatalogOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private PolicyCase.@Nullable Basis basis;

    @Override
    public Integer call() throws IOException {
        PolicyTestReport report = new PolicyTestReport(trial(policy), other == null ? null : trial(other));
        for (String file : files) {
            try (InputLines lines = InputFile.lines(file)) {
                for (byte[] line = lines.next(); line != null; line = lines.next()) {
                    add(report, file, lines, line);
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        spec.commandLine().getOut().print(format == Format.JSON ? report.json() : report.text());
        StandardOutput.flush(spec.commandLine().getOut());
        if (report.tested() == 0) {
            spec.commandLine().getErr().println("nothing was tested");
        }
        if (report.unreadable() > 0 || report.tested() == 0) {
            return ExitCode.USAGE.code();
        }
        return (report.changes() ? ExitCode.FAILED : ExitCode.OK).code();
    }

    private static PolicyTrial trial(Path file) {
        ScatterguardConfig config = ConfigReader.read(file);
        return new PolicyTrial(config.policy(), config.catalog().onUnknown());
    }

    private void add(PolicyTestReport report, String file, InputLines lines, byte[] line) {
        try {
            String text = lines.decoded(line);
            if (!text.isBlank()) {
                add(report, file, lines, AuditLine.parse(text));
            }
        } catch (CharacterCodingException e) {
            unreadable(report, file, lines, "not UTF-8");
        } catch (LineFormatException e) {
            unreadable(report, file, lines, String.valueOf(e.getMessage()));
        }
    }

    private void add(PolicyTestReport report, String file, InputLines lines, AuditLine line) {
        switch (line.kind()) {
            case ROUTED, OTHER -> report.add(PolicyCase.of(line, this::basis, Instant.now()));
            case NOT_ROUTED, COUNTS -> report.addLeftOut(line);
            case GAP -> {
                report.addLeftOut(line);
                name(file, lines, "a gap: " + line.represents() + " records are missing here");
            }
        }
    }

    private void unreadable(PolicyTestReport report, String file, InputLines lines, String problem) {
        report.addUnreadable();
        name(file, lines, problem);
    }

    private void name(String file, InputLines lines, String what) {
        spec.commandLine().getErr().println(InputFile.name(file) + ":" + lines.number() + ": " + what);
    }

    /** Made when the first command of a file asks for it: records need none. */
    private PolicyCase.Basis basis() {
        PolicyCase.Basis made = basis;
        if (made == null) {
            if (!catalog.isGiven()) {
                throw new ParameterException(
                        spec.commandLine(),
                        "commands need a catalog (records do not): --catalog DUMP, --uri URI or --config FILE; or --rules"
                                + " FILE");
            }
            try {
                CatalogOptions.Loaded loaded = catalog.load(spec.commandLine(), namespace -> true);
                made = new PolicyCase.Basis(loaded.catalog().snapshot(), loaded.release());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            basis = made;
        }
        return made;
    }
}
