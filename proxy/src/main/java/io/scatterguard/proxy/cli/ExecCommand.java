package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.config.Secret;
import io.scatterguard.proxy.reports.Findings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code exec}: runs a command, a test suite for instance, with a proxy between it and its database. */
@Command(
        name = "exec",
        description = {
            "Runs a command with a proxy between it and its database, and says which of its queries are broadcast.",
            "The command finds the proxy's connection string in MONGODB_URI, or in the place of {uri} among its arguments.",
            "Without --upstream the database is an embedded server, which forgets everything at the end."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard exec --rules rules.yaml -- mvn verify",
            "  scatterguard exec --rules rules.yaml --upstream mongodb://127.0.0.1:27017/shop -- npm test",
            "  scatterguard exec --config scatterguard.yaml --baseline baseline.yaml \\",
            "      --report text --report junit=scatterguard.xml -- pytest",
            "  scatterguard exec --rules rules.yaml -- mongosh {uri} --eval 'db.orders.find()'",
            "",
            "Exit codes: that of the command, if it is not 0; else 0 no new finding; 1 the findings may not be complete;",
            "2 wrong command line or files, or nothing was judged; " + ExitCode.FINDINGS_CODE
                    + " findings, see --fail-on.",
            "126 and 127: the command cannot be started, or is not there."
        })
final class ExecCommand implements Callable<Integer> {
    private static final int MAX_LISTED = 20;
    private static final String PLACEHOLDER = "{uri}";

    @Parameters(arity = "1..*", paramLabel = "CMD", description = "The command and its arguments, after --.")
    private List<String> command = List.of();

    @Option(
            names = "--upstream",
            paramLabel = "URI",
            description =
                    "The database: a standalone, a replica set or a mongos. Put $${NAME} or $${file:path} in the place"
                            + " of a password, in single quotes. Default: an embedded server.")
    private @Nullable String upstream;

    @Option(
            names = "--rules",
            paramLabel = "FILE",
            description = "Declared shard keys, see rules import. In front of a mongos they count besides its own.")
    private @Nullable Path rules;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description =
                    "A configuration whose policy, declared keys, limits and server.tls count; its listeners and audit"
                            + " do not. Default: every certain scatter-gather is a finding.")
    private @Nullable Path config;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description =
                    "observe (default): everything passes, and what the policy would refuse is reported. enforce: it is"
                            + " refused, so that the test that sent it fails.")
    private Mode mode = Mode.OBSERVE;

    @Option(
            names = "--on-unknown",
            paramLabel = "WHAT",
            description = "refuse (default): a collection whose metadata cannot be read is a finding; or allow.")
    private OnUnknown onUnknown = OnUnknown.REFUSE;

    @Option(
            names = "--router-version",
            paramLabel = "RELEASE",
            description = "The router's release to judge by, like 6.0. Default: that of the database.")
    private @Nullable String routerVersion;

    @Option(
            names = "--variable",
            paramLabel = "NAME",
            description = "Where the command looks for the connection string; may be repeated. Default: MONGODB_URI.")
    private List<String> variables = List.of("MONGODB_URI");

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description = "The database in that connection string. Default: that of --upstream.")
    private @Nullable String databaseName;

    @Option(
            names = "--audit",
            paramLabel = "FILE",
            description = "Where each routed command is recorded, for check and report. Default: nowhere.")
    private @Nullable Path audit;

    @Option(
            names = "--api",
            description = "Listen with the API on a free loopback port, for GET /api/v1/findings and POST"
                    + " /api/v1/findings/reset between tests; the command finds SCATTERGUARD_API and"
                    + " SCATTERGUARD_TOKEN in its environment.")
    private boolean api;

    @Mixin
    private ReportOptions options = new ReportOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        options.check(spec.commandLine());
        QuietLog.apply();
        if (upstream != null) {
            ClusterAccess.requireNoSecret("--upstream", upstream);
        }
        checkOptions();
        GuardSetup setup =
                new GuardSetup(upstream, rules, config, mode, onUnknown, options.entries(), routerVersion, audit, api);
        GuardedProxy proxy = GuardedProxy.start(setup);
        int code;
        try (proxy) {
            code = run(proxy);
            proxy.awaitLeaving();
        } catch (ChildNotStartedException e) {
            err().println("scatterguard: exec: " + command.get(0) + ": cannot be started ("
                    + Redacted.of(String.valueOf(e.getMessage())) + ")");
            return e.code();
        }
        ExitCode ours = ended(proxy);
        return code == 0 ? ours.code() : code;
    }

    /** However the report fares, the command's own code counts first. */
    private ExitCode ended(GuardedProxy proxy) throws InterruptedException {
        try {
            Findings findings = proxy.findings();
            GuardedProxy.Coverage coverage = proxy.coverage();
            tell(coverage);
            ExitCode code = options.report(spec.commandLine(), err(), findings);
            err().flush();
            return verdict(proxy, coverage, code);
        } catch (InputException e) {
            err().println("scatterguard: exec: " + Redacted.of(String.valueOf(e.getMessage())));
            return ExitCode.USAGE;
        } catch (IOException | RuntimeException e) {
            err().println("scatterguard: exec: " + Redacted.of(String.valueOf(e.getMessage())));
            return ExitCode.FAILED;
        }
    }

    private ExitCode verdict(GuardedProxy proxy, GuardedProxy.Coverage coverage, ExitCode findings) {
        if (coverage.missed() > 0) {
            err().println("scatterguard: the findings may not be complete: " + coverage.missed()
                    + " commands could not be judged or recorded, see the log");
            return ExitCode.FAILED;
        }
        if (proxy.notInFile() > 0) {
            err().println("scatterguard: --audit " + audit + " lacks " + proxy.notInFile() + " records");
            return ExitCode.FAILED;
        }
        if (coverage.judged() > 0) {
            return findings;
        }
        err().println(
                        coverage.connections() == 0
                                ? "scatterguard: nobody connected to the proxy: does " + command.get(0)
                                        + " connect to what " + String.join(", ", variables)
                                        + " says? (see --variable and {uri})"
                                : "scatterguard: nothing was judged: no command on a collection with a shard key came (expected:"
                                        + " --rules that name the collections that the tests use)");
        return options.isLenient() ? findings : ExitCode.USAGE;
    }

    private void checkOptions() {
        if (mode == Mode.BYPASS) {
            throw new ParameterException(
                    spec.commandLine(), "--mode: bypass (expected: observe or enforce; bypass judges nothing)");
        }
        for (String name : variables) {
            if (name.isEmpty() || name.contains("=")) {
                throw new ParameterException(
                        spec.commandLine(), "--variable: " + name + " (expected: the name of an environment variable)");
            }
        }
    }

    private int run(GuardedProxy proxy) throws InterruptedException {
        String uri = proxy.uri(databaseName);
        Map<String, String> environment = new TreeMap<>();
        variables.forEach(name -> environment.put(name, uri));
        HostAndPort address = proxy.api();
        Secret token = proxy.token();
        if (address != null && token != null) {
            environment.put("SCATTERGUARD_API", "http://" + address);
            environment.put("SCATTERGUARD_TOKEN", token.reveal());
        }
        return ChildProcess.run(arguments(proxy, uri), environment);
    }

    private List<String> arguments(GuardedProxy proxy, String uri) {
        if (proxy.isSecret() && command.stream().anyMatch(argument -> argument.contains(PLACEHOLDER))) {
            throw new ParameterException(
                    spec.commandLine(),
                    PLACEHOLDER
                            + ": the connection string holds a password, which everybody who lists the processes would"
                            + " see among the arguments (expected: a command that reads "
                            + String.join(", ", variables) + ")");
        }
        return command.stream()
                .map(argument -> argument.replace(PLACEHOLDER, uri))
                .toList();
    }

    private void tell(GuardedProxy.Coverage coverage) {
        Map<String, Long> without = coverage.withoutRule();
        if (!without.isEmpty()) {
            tell(
                    "no rule, so not judged",
                    without.entrySet().stream().map(one -> one.getKey() + " (" + one.getValue() + ")"),
                    without.size());
        }
        if (!coverage.unusedRules().isEmpty()) {
            tell(
                    "a rule, but no command",
                    coverage.unusedRules().stream(),
                    coverage.unusedRules().size());
        }
    }

    private void tell(String what, Stream<String> names, int count) {
        String more = count > MAX_LISTED ? ", and " + (count - MAX_LISTED) + " more" : "";
        err().println(names.limit(MAX_LISTED).collect(Collectors.joining(", ", "scatterguard: " + what + ": ", more)));
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
