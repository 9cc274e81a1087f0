package io.scatterguard.proxy.validation;

import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * One thing that is found about a rule. It names fields, indexes and counts, never a value of a document.
 *
 * @param severity how bad it is
 * @param check which check found it, one word for programs
 * @param subject the namespace or database it is about
 * @param what what was found, and what follows from it
 * @param fix what to do; empty for nothing
 */
public record Finding(Severity severity, String check, String subject, String what, String fix) {
    /** How bad a finding is. */
    public enum Severity {
        /** The server would refuse it, or verdicts would be wrong. */
        ERROR("error"),
        /** It works, and likely not as meant. */
        WARNING("warning"),
        /** Something to know. */
        NOTE("note");

        private final String text;

        Severity(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** {@code error shop.orders: what (fix)}. */
    @Override
    public String toString() {
        return severity.text() + " " + subject + ": " + what + (fix.isEmpty() ? "" : " (" + fix + ")");
    }

    /** {@code {"severity": …, "check": …, "subject": …, "what": …, "fix": …}}. */
    public BsonDocument toDocument() {
        return new BsonDocument("severity", new BsonString(severity.text()))
                .append("check", new BsonString(check))
                .append("subject", new BsonString(subject))
                .append("what", new BsonString(what))
                .append("fix", new BsonString(fix));
    }
}
