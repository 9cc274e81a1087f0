package io.scatterguard.proxy.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** What a command prints is UTF-8, whatever the locale, and a command whose output is lost has failed. */
final class StandardOutput {
    private StandardOutput() {}

    /** Writes to a stream of the process in UTF-8. */
    static PrintWriter utf8(PrintStream stream) {
        // Knows that it writes to a PrintStream, which keeps its errors to itself, and asks it for them.
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    /** @throws IOException if not all that was printed could be written */
    static void flush(PrintWriter out) throws IOException {
        out.flush();
        if (out.checkError()) {
            throw new IOException(
                    "standard output: cannot be written (closed, or no space left); what was printed is cut");
        }
    }
}
