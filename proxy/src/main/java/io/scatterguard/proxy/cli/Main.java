package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.ConfigException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The entry point of the command line. */
@Command(
        name = "scatterguard",
        description = "A proxy in front of mongos that sees, logs and refuses scatter-gather queries.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {
            ServeCommand.class,
            DemoCommand.class,
            ExplainCommand.class,
            CheckCommand.class,
            ExecCommand.class,
            ReportCommand.class,
            PolicyCommand.class,
            CatalogCommand.class,
            RulesCommand.class,
            BaselineCommand.class,
            ModeCommand.class,
            CompletionCommand.class,
            CommandLine.HelpCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  scatterguard demo",
            "  scatterguard serve --config scatterguard.yaml",
            "  scatterguard explain --config scatterguard.yaml command.json",
            "  scatterguard catalog dump --config scatterguard.yaml --output dump.json"
        })
public final class Main {
    /** By a name that no application finds that has the proxy on its class path. */
    private static final String LOGGING = "io/scatterguard/proxy/logback.xml";

    private static final String LOGGING_PROPERTY = "logback.configurationFile";

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        if (System.getProperty(LOGGING_PROPERTY) == null) {
            System.setProperty(LOGGING_PROPERTY, LOGGING);
        }
        System.exit(run(args));
    }

    /** Runs the command line and returns its exit code. */
    public static int run(String... args) {
        if (args.length == 0) {
            commandLine().usage(System.err);
            return ExitCode.USAGE.code();
        }
        return commandLine().execute(args);
    }

    /** The command line, not yet run; writes to the process's own streams unless told otherwise. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        ExitCode.explainIn(line);
        // What follows the command is the command's own, options and all; and an @ is nobody's but whose argument it
        // is.
        Objects.requireNonNull(line.getSubcommands().get("exec")).setStopAtPositional(true);
        tellVersionIn(line);
        return line.setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(StandardOutput.utf8(System.out))
                .setErr(StandardOutput.utf8(System.err))
                .setParameterExceptionHandler((error, args) -> wrongArguments(error))
                .setExecutionExceptionHandler((error, command, result) -> {
                    command.getErr().println("scatterguard: " + Redacted.of(String.valueOf(error.getMessage())));
                    boolean input = error instanceof InputException || error instanceof ConfigException;
                    return (input ? ExitCode.USAGE : ExitCode.FAILED).code();
                });
    }

    /** {@code --version} of every command says that of the program. */
    private static void tellVersionIn(CommandLine command) {
        command.getCommandSpec().versionProvider(new Version());
        command.getSubcommands().values().forEach(Main::tellVersionIn);
    }

    /** As picocli does it, but without the passwords of connection strings that stand in the wrong place. */
    private static int wrongArguments(CommandLine.ParameterException error) {
        CommandLine command = error.getCommandLine();
        command.getErr().println(command.getColorScheme().errorText(Redacted.of(String.valueOf(error.getMessage()))));
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(error, command.getErr())) {
            command.usage(command.getErr(), command.getColorScheme());
        }
        return ExitCode.USAGE.code();
    }

    /** The version in the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"scatterguard " + text()};
        }

        static String text() {
            String version = Main.class.getPackage().getImplementationVersion();
            return version == null ? "(not packaged)" : version;
        }
    }
}
