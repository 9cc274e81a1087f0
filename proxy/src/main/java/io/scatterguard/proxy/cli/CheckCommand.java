package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.audit.QueryShapes;
import io.scatterguard.proxy.changes.ChangesTally;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.offline.OfflineJudge;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Throttles;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.FindingsTally;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Rehearsal;
import io.scatterguard.proxy.routing.Router;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
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

/** {@code check}: judges queries that somebody has recorded. */
@Command(
        name = "check",
        description = {
            "Judges recorded queries, without a server: which of them are broadcast, why, what they cost, and what to do.",
            "Reads structured logs of mongod and mongos (\"Slow query\"), dumps of system.profile (BSON, or Extended",
            "JSON), audit records, and files of commands, one a line; gzip too. The report shows no values of commands."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard check --rules rules.yaml mongod.log mongod.log.1.gz",
            "  scatterguard check --catalog dump.json --baseline baseline.yaml mongos.log",
            "  scatterguard check --uri mongodb://mongos-a:27017/ --report json profile.bson",
            "  scatterguard check --report text --report junit=target/scatterguard.xml audit.jsonl",
            "  scatterguard check audit.jsonl",
            "  scatterguard check --rules rules.yaml --router-version 6.0 --compare 8.0 mongod.log",
            "  scatterguard check --rules today.yaml --compare-rules tomorrow.yaml mongod.log",
            "",
            "Exit codes: 0 no new finding; 1 failed while running; 2 wrong command line or input, or nothing in it could",
            "be judged; " + ExitCode.FINDINGS_CODE
                    + " findings, or with --compare something that becomes worse, see --fail-on."
        })
final class CheckCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "What is read; - is standard input.")
    private List<String> files = List.of();

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "A configuration whose policy says what is a finding. Default: that of --config, or every"
                    + " scatter-gather.")
    private @Nullable Path policy;

    @Option(names = "--follow", description = "Wait for more at the end of the last file, and report when interrupted.")
    private boolean follow;

    @Mixin
    private CatalogOptions catalog = new CatalogOptions();

    @Mixin
    private CompareOptions compare = new CompareOptions();

    @Mixin
    private ReportOptions options = new ReportOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private @Nullable OfflineJudge judge;

    @Override
    public Integer call() throws IOException {
        options.check(spec.commandLine());
        return compare.isGiven() ? compare() : find();
    }

    private Integer find() throws IOException {
        FindingsTally tally = new FindingsTally(options.known());
        try (CheckRun run = new CheckRun(this::judge, tally)) {
            read(run);
            tell(run);
            Findings findings = tally.findings(run.judged());
            return ended(run, options.report(spec.commandLine(), findings)).code();
        }
    }

    private Integer compare() throws IOException {
        options.requireComparable(spec.commandLine());
        CheckSides sides = new CheckSides(spec.commandLine(), catalog, compare, this::policy);
        ChangesTally tally = new ChangesTally(options.known());
        try (CheckRun run = new CheckRun(new ChangesWork(sides.comparison(), tally))) {
            read(run);
            tell(run);
            return ended(run, options.report(spec.commandLine(), sides.changes(tally)))
                    .code();
        }
    }

    private void read(CheckRun run) throws IOException {
        if (follow) {
            Signals.onInterrupt(Thread.currentThread());
        }
        try (CheckProgress progress =
                CheckProgress.start(files, spec.commandLine().getErr())) {
            for (int i = 0; i < files.size(); i++) {
                try (CheckedInput input = CheckedInput.open(files.get(i), follow && i == files.size() - 1)) {
                    progress.reading(input);
                    run.add(input);
                }
                if (Thread.interrupted()) {
                    return;
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private ExitCode ended(CheckRun run, ExitCode code) {
        if (!run.cutOff().isEmpty()) {
            return ExitCode.FAILED;
        }
        return run.isIdle() ? nothing() : code;
    }

    private ExitCode nothing() {
        spec.commandLine().getErr().println("nothing was judged: no command in " + String.join(", ", files));
        return ExitCode.USAGE;
    }

    /** What was not judged, on standard error. */
    private void tell(CheckRun run) {
        PrintWriter err = spec.commandLine().getErr();
        run.leftOut().forEach((why, count) -> err.println("left out " + count + ": " + why));
        run.cutOff().forEach(why -> err.println("not read to its end: " + why));
        run.unreadable().forEach(err::println);
        long more = run.unreadableLines() - run.unreadable().size();
        if (more > 0) {
            err.println("and " + more + " more lines that cannot be read");
        }
    }

    /** Made when the first command asks for it, whichever thread does. */
    private synchronized OfflineJudge judge() {
        OfflineJudge made = judge;
        if (made == null) {
            if (!catalog.isGiven()) {
                throw new ParameterException(
                        spec.commandLine(),
                        "commands need a catalog (audit records do not): --rules FILE, --catalog DUMP, --uri URI or"
                                + " --config FILE");
            }
            try {
                made = made();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            judge = made;
        }
        return made;
    }

    private OfflineJudge made() throws IOException {
        CatalogOptions.Loaded loaded = catalog.load(spec.commandLine(), namespace -> true);
        // What a cluster would refuse is asked where the key is declared: else a cluster has answered already.
        Router router = loaded.declared() ? new Rehearsal(new KeyRouter(), false) : new KeyRouter();
        return new OfflineJudge(router, loaded.catalog().snapshot(), loaded.release(), policy(), Clock.systemUTC());
    }

    private CompiledPolicy policy() {
        Path file = policy == null ? catalog.config() : policy;
        ScatterguardConfig config = file == null ? null : ConfigReader.read(file);
        PolicyConfig judging = config == null ? PolicyConfig.standard() : config.policy();
        OnUnknown onUnknown =
                config == null ? OnUnknown.ALLOW : config.catalog().onUnknown();
        return CompiledPolicy.compile(
                judging.withMode(PolicyConfig.Mode.ENFORCE),
                onUnknown,
                command -> QueryShapes.of(command).hash(),
                Throttles.exhausted(),
                1);
    }
}
