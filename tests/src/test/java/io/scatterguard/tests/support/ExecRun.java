package io.scatterguard.tests.support;

import org.bson.BsonDocument;

/** How {@code exec} ended, and what it and the command that it ran wrote. */
public record ExecRun(int code, String out, String err) {
    /** The report of {@code --report json}: from the line that begins it on. */
    public BsonDocument report() {
        int start = err.startsWith("{\n") ? 0 : err.indexOf("\n{\n") + 1;
        int end = err.indexOf("\n}\n", start);
        if (end < 0) {
            throw new AssertionError("no report in JSON" + output());
        }
        return BsonDocument.parse(err.substring(start, end + 3));
    }

    /** All that was written, for the message of an assertion. */
    public String output() {
        return "\ncode: " + code + "\nstdout: " + out + "\nstderr: " + err;
    }
}
