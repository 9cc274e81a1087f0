package io.scatterguard.proxy.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** The exit codes of the program. {@code docs/exit-codes.md} says what each means for each command; a test holds it to this. */
public enum ExitCode {
    OK(0, "It went well."),
    /**
     * Something failed while running: an address that cannot be bound, a cluster that cannot be read, a demo that went
     * otherwise than expected, a catalog with problems.
     */
    FAILED(1, "It failed while running, or what was looked for was found."),
    /** The command line, the configuration or an input file is wrong; nothing was started. */
    USAGE(2, "The command line, the configuration or an input is wrong."),
    /** Only of commands that look for findings. No program that is run uses it by itself. */
    FINDINGS(ExitCode.FINDINGS_CODE, "Everything ran, and there are findings that were asked to be a failure.");

    static final int FINDINGS_CODE = 61;
    private static final String HEADING = "Exit codes:";

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    /** What it means, whichever the command: a sentence. */
    public String meaning() {
        return meaning;
    }

    /** Has {@code --help} of {@code command}, and of all below it, name the exit codes; what says more of its own keeps it. */
    static void explainIn(CommandLine command) {
        explain(command, true);
    }

    private static void explain(CommandLine command, boolean whole) {
        Map<String, String> list = Arrays.stream(values())
                .filter(code -> whole || code != FINDINGS) // a command that ends with it says so by itself
                .collect(Collectors.toMap(
                        code -> Integer.toString(code.code),
                        ExitCode::meaning,
                        (one, other) -> one,
                        LinkedHashMap::new));
        CommandLine.Model.UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        if (Arrays.stream(usage.footer()).noneMatch(line -> line.startsWith(HEADING))) {
            usage.exitCodeListHeading("%n" + HEADING + "%n").exitCodeList(list);
        }
        command.getSubcommands().values().forEach(below -> explain(below, false));
    }
}
