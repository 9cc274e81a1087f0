package io.scatterguard.testing;

import org.junit.jupiter.api.extension.ExtensionContext;

/** What somebody should know though it fails nothing. */
final class Notices {
    private static final String ENTRY = "scatterguard";

    private Notices() {}

    /** As the report entry of a test or class, which not every runner shows: on the standard error as well. */
    static void publish(ExtensionContext context, String line) {
        context.publishReportEntry(ENTRY, line);
        print(line);
    }

    /** On the standard error alone. */
    static void print(String text) {
        System.err.println(ENTRY + ": " + text);
    }
}
