package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.ReportFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * All reports of a run, each to its place.
 *
 * @param output where the one without a file goes; null and {@code -} for a stream
 */
record ReportTargets(List<ReportTarget> reports, @Nullable String output) {
    private static final String STREAM = "-";

    ReportTargets {
        reports = List.copyOf(reports);
    }

    /** @throws ParameterException if two reports go to the same place, or none goes to {@code --output} */
    void check(CommandLine command) {
        Map<String, ReportTarget> places = new HashMap<>();
        for (ReportTarget report : reports) {
            ReportTarget other = places.put(place(report), report);
            if (other != null) {
                throw new ParameterException(
                        command,
                        "--report " + report + " and --report " + other
                                + ": go to the same place (expected: FORMAT=FILE,"
                                + " with another FILE for each; at most one without)");
            }
        }
        if (output != null && reports.stream().allMatch(report -> report.file() != null)) {
            throw new ParameterException(
                    command,
                    "--output " + output + ": no report goes there, as each has a file (expected: --report FORMAT)");
        }
    }

    private String place(ReportTarget report) {
        String file = report.file() == null ? output : report.file();
        if (file == null || file.equals(STREAM)) {
            return STREAM;
        }
        try {
            return Path.of(file).toAbsolutePath().normalize().toString();
        } catch (InvalidPathException e) {
            return file; // said when it is written
        }
    }

    /** What is reported. */
    @FunctionalInterface
    interface Contents {
        String as(ReportFormat format, Colours colours);
    }

    /**
     * Writes all of them. Where one cannot be written, the others are all the same: what they are about may have taken long.
     *
     * @param stream where the one goes that goes to no file
     * @param summary what was written, said of files
     * @throws IOException as the first that failed did, or {@link InputException}
     */
    void write(CommandLine command, PrintWriter stream, Contents contents, String summary) throws IOException {
        IOException failure = null;
        InputException wrong = null;
        for (ReportTarget report : reports) {
            try {
                if (place(report).equals(STREAM)) {
                    // NO_COLOR, and what else terminals and their users say, is known to picocli.
                    boolean terminal = CommandLine.Help.Ansi.AUTO.enabled()
                            && (stream != command.getErr() || Terminal.isStandardError());
                    stream.append(contents.as(report.format(), terminal ? Colours.ANSI : Colours.OFF));
                    StandardOutput.flush(stream);
                } else {
                    toFile(report, command, contents.as(report.format(), Colours.OFF), summary);
                }
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            } catch (InputException e) {
                wrong = wrong == null ? e : wrong;
            }
        }
        if (failure != null) {
            throw failure;
        }
        if (wrong != null) {
            throw wrong;
        }
    }

    private void toFile(ReportTarget report, CommandLine command, String text, String summary) throws IOException {
        if (report.file() == null) {
            OutputFile.write(command, output, text, summary);
        } else {
            folder(report);
            OutputFile.write(command, "--report", report.file(), text, summary);
        }
    }

    /** What a build has for its results may not be there yet, or not any more. */
    private static void folder(ReportTarget report) throws IOException {
        Path parent = Path.of(String.valueOf(report.file())).toAbsolutePath().getParent();
        try {
            if (parent != null) {
                Files.createDirectories(parent);
            }
        } catch (IOException e) {
            throw new IOException(
                    "--report " + report + ": its folder cannot be made ("
                            + e.getClass().getSimpleName() + ")",
                    e);
        }
    }
}
