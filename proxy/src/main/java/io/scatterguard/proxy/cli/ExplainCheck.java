package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogDump;
import io.scatterguard.proxy.catalog.CatalogException;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.offline.LineCheck;
import io.scatterguard.proxy.offline.LineFormatException;
import io.scatterguard.proxy.offline.Outcome;
import io.scatterguard.proxy.routing.RouterRelease;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks a file of commands, a line at a time: prints one line of JSON for each, and at the end a line that counts them. A
 * line that cannot be read is named on the error output with its file and number; the others are checked all the same.
 */
final class ExplainCheck {
    private final PrintWriter out;
    private final PrintWriter err;
    private long checked;
    private long agree;
    private long disagree;
    private long skipped;
    private long unreadable;

    ExplainCheck(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Checks vectors and cases.
     *
     * @param only leaves out those that do not hold for this release; null checks each for releases it holds for
     */
    ExitCode vectors(Path file, @Nullable RouterRelease only) {
        return run(file, LineCheck.vectors(only));
    }

    /** Checks commands on the catalog in {@code dump}. */
    ExitCode commands(Path dump, Path file, RouterRelease release) {
        CatalogLoad load;
        try {
            load = CatalogBuilder.load(CatalogDump.read(Files.readString(dump)), ShardRegistry.empty(), Instant.EPOCH);
        } catch (CatalogException | IOException e) {
            err.println(dump + ": " + reason(e));
            return ExitCode.USAGE;
        }
        for (CatalogProblem problem : load.problems()) {
            err.println(dump + ": " + problem.subject() + ": " + problem.message() + " (predictions for "
                    + Namespace.parse(problem.subject()) + " are upper bounds)");
        }
        return run(file, LineCheck.commands(load.snapshot(), release));
    }

    private ExitCode run(Path file, LineCheck check) {
        boolean whole = true;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            long number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine(), number++) {
                if (!line.isBlank()) {
                    check(file, number, line, check);
                }
            }
        } catch (IOException e) {
            err.println(file + ": " + reason(e));
            whole = false;
        }
        out.println("{\"checked\":" + checked + ",\"agree\":" + agree + ",\"disagree\":" + disagree
                + ",\"nothingExpected\":" + (checked - agree - disagree) + ",\"skipped\":" + skipped
                + ",\"unreadable\":" + unreadable + "}");
        out.flush();
        if (!whole || unreadable > 0) {
            return ExitCode.USAGE;
        }
        return disagree > 0 ? ExitCode.FAILED : ExitCode.OK;
    }

    private void check(Path file, long number, String line, LineCheck check) {
        Outcome outcome;
        try {
            outcome = check.check(line);
        } catch (LineFormatException e) {
            unreadable++;
            err.println(file + ":" + number + ": " + e.getMessage());
            return;
        }
        out.println(outcome.toJson());
        if (outcome.skipped() != null) {
            skipped++;
            return;
        }
        checked++;
        if (outcome.agree() != null) {
            agree += outcome.agree() ? 1 : 0;
            disagree += outcome.agree() ? 0 : 1;
        }
    }

    private static String reason(Exception e) {
        if (e instanceof CharacterCodingException) {
            return "not UTF-8";
        }
        String message = Objects.requireNonNullElse(e.getMessage(), "");
        return e instanceof IOException ? "cannot be read: " + e.getClass().getSimpleName() + " " + message : message;
    }
}
