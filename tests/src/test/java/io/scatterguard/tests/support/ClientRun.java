package io.scatterguard.tests.support;

import org.bson.BsonDocument;

/** How a client process ended and what it printed. */
public record ClientRun(ClientTool tool, int exitCode, String stdout, String stderr) {
    private static final String RESULT = "RESULT ";

    /** The result line of a run that exited with 0; anything else is an AssertionError with the whole output. */
    public BsonDocument result() {
        if (exitCode != 0) {
            throw new AssertionError(tool + " exited with " + exitCode + " (expected: 0)" + output());
        }
        return stdout.lines()
                .filter(line -> line.startsWith(RESULT))
                .reduce((first, last) -> last)
                .map(line -> BsonDocument.parse(line.substring(RESULT.length())))
                .orElseThrow(() -> new AssertionError(tool + " printed no line that starts with RESULT" + output()));
    }

    /** All that it printed, for the message of an assertion. */
    public String output() {
        return "\nstdout: " + stdout + "\nstderr: " + stderr;
    }
}
