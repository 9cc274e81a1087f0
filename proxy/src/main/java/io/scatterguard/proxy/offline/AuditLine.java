package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ExtendedJson;
import io.scatterguard.proxy.policy.Reasons;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** A line of an audit log, or of a file with commands: what it is, and what a record among them says of a finding. */
public final class AuditLine {
    /** What a line is. */
    public enum Kind {
        /** The record of a command that was routed, which a policy judges. */
        ROUTED,
        /** The record of a command that was not routed. */
        NOT_ROUTED,
        /** Stands for findings that have no record ({@code findings: sampled}). */
        COUNTS,
        /** Stands for records that are missing. */
        GAP,
        /** Nothing of an audit log: a command, or something else. */
        OTHER
    }

    /**
     * What a record, or a count, says of findings that no exemption lifted.
     *
     * @param hash of the query shape
     * @param namespace {@code db.coll}; empty if it is not known
     * @param text of the query shape
     * @param day when, in UTC
     * @param times how many findings they are
     * @param owner whose; empty if that is not known
     */
    public record Finding(String hash, String namespace, String text, LocalDate day, long times, String owner) {}

    /** Refusals that are about no query shape: they say nothing of where the command goes, and no baseline lifts them. */
    private static final Set<String> OF_NO_SHAPE =
            Set.of(Reasons.TRANSACTION_REFUSED, Reasons.INTERNAL_ERROR, Reasons.MALFORMED);

    private static final int DAY_CHARS = "2026-12-01".length();

    private final BsonDocument document;
    private final Kind kind;

    private AuditLine(BsonDocument document) {
        this.document = document;
        this.kind = kindOf(document);
    }

    /**
     * The line {@code text}.
     *
     * @throws LineFormatException if it is no document
     */
    public static AuditLine parse(String text) {
        try {
            return new AuditLine(ExtendedJson.document(text));
        } catch (IllegalArgumentException e) {
            throw new LineFormatException(String.valueOf(e.getMessage()));
        }
    }

    private static Kind kindOf(BsonDocument document) {
        if (document.isNumber("seq")) {
            if (document.isDocument("counts")) {
                return Kind.COUNTS;
            }
            return document.isDocument("route") ? Kind.ROUTED : Kind.NOT_ROUTED;
        }
        return document.isDocument("gap") ? Kind.GAP : Kind.OTHER;
    }

    public Kind kind() {
        return kind;
    }

    Members members() {
        return new Members(document);
    }

    /** How many it stands for: the records of a gap, the findings of a count; 1 for anything else. */
    public long represents() {
        return switch (kind) {
            case GAP -> number("gap", "count");
            case COUNTS -> number("counts", "findings");
            case ROUTED, NOT_ROUTED, OTHER -> 1;
        };
    }

    /**
     * What it says of findings; empty if it says nothing of any with a query shape.
     *
     * @throws LineFormatException if it does, and has no usable day
     */
    public Optional<Finding> finding() {
        String hash = text("shape", "hash");
        long times = hash.isEmpty() ? 0 : findings();
        if (times <= 0) {
            return Optional.empty();
        }
        Namespace namespace = new Namespace(text(document, "db"), text(document, "coll"));
        return Optional.of(new Finding(
                hash,
                namespace.database().isEmpty() ? "" : namespace.fullName(),
                text("shape", "text"),
                day(),
                times,
                text(document, "owner")));
    }

    private long findings() {
        return switch (kind) {
            case COUNTS -> number("counts", "findings") - number("counts", "exempted");
            case ROUTED, NOT_ROUTED -> isFinding() ? 1 : 0;
            case GAP, OTHER -> 0;
        };
    }

    private boolean isFinding() {
        String action = text("verdict", "action");
        return !action.isEmpty()
                && !action.equals("allow")
                && text("verdict", "exemption").isEmpty()
                && !OF_NO_SHAPE.contains(text("verdict", "reason"));
    }

    private LocalDate day() {
        String at = text(document, "ts");
        try {
            return LocalDate.parse(at.substring(0, Math.min(at.length(), DAY_CHARS)));
        } catch (DateTimeParseException e) {
            throw new LineFormatException("member \"ts\" (expected: a time like 2026-12-01T10:20:30.123456Z)");
        }
    }

    private String text(String part, String name) {
        return document.isDocument(part) ? text(document.getDocument(part), name) : "";
    }

    private static String text(BsonDocument document, String name) {
        BsonValue value = document.get(name);
        return value != null && value.isString() ? value.asString().getValue() : "";
    }

    private long number(String part, String name) {
        BsonDocument document = this.document.getDocument(part);
        return document.isNumber(name) ? document.getNumber(name).longValue() : 0;
    }
}
