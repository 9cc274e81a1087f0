package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.offline.LineCheck;
import io.scatterguard.proxy.offline.LineFormatException;
import io.scatterguard.proxy.offline.Outcome;
import io.scatterguard.proxy.routing.RouterRelease;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * Checks a file of commands, a line at a time: prints one line of JSON for each, and at the end a line that counts them. A
 * line that cannot be read is also named on the error output with its file and number; the others are checked all the same.
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
     * @throws IOException if the output cannot be written
     */
    ExitCode vectors(String file, @Nullable RouterRelease only) throws IOException {
        return run(file, LineCheck.vectors(only));
    }

    /**
     * Checks commands on the catalog that was loaded from the file {@code dump}.
     *
     * @throws IOException if the output cannot be written
     */
    ExitCode commands(String dump, CatalogLoad load, String file, RouterRelease release) throws IOException {
        for (CatalogProblem problem : load.problems()) {
            err.println(InputFile.name(dump) + ": " + problem.subject() + ": " + problem.message()
                    + " (predictions for " + Namespace.parse(problem.subject()) + " are upper bounds)");
        }
        return run(file, LineCheck.commands(load.snapshot(), release));
    }

    private ExitCode run(String file, LineCheck check) throws IOException {
        boolean whole = true;
        try (InputLines lines = InputFile.lines(file)) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                check(InputFile.name(file) + ":" + lines.number() + ": ", lines, line, check);
            }
        } catch (IOException e) {
            err.println(InputFile.unreadable(file, e).getMessage());
            whole = false;
        }
        out.println("{\"checked\":" + checked + ",\"agree\":" + agree + ",\"disagree\":" + disagree
                + ",\"nothingExpected\":" + (checked - agree - disagree) + ",\"skipped\":" + skipped
                + ",\"unreadable\":" + unreadable + "}");
        StandardOutput.flush(out);
        if (whole && checked == 0) {
            err.println(InputFile.name(file) + ": nothing was checked");
        }
        if (!whole || unreadable > 0) {
            return ExitCode.USAGE;
        }
        return disagree > 0 ? ExitCode.FAILED : ExitCode.OK;
    }

    private void check(String place, InputLines lines, byte[] line, LineCheck check) {
        Outcome outcome;
        try {
            String text = decoded(lines, line);
            if (text.isBlank()) {
                return;
            }
            outcome = check.check(text);
        } catch (LineFormatException e) {
            unreadable++;
            out.println(e.toJson());
            err.println(place + e.getMessage());
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

    private static String decoded(InputLines lines, byte[] line) {
        try {
            return lines.decoded(line);
        } catch (CharacterCodingException e) {
            throw new LineFormatException("not UTF-8");
        }
    }
}
