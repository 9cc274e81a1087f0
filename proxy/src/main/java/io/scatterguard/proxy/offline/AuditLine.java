package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.catalog.ExtendedJson;
import io.scatterguard.proxy.records.AuditRecord;
import io.scatterguard.proxy.records.RecordFields;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.bson.BsonDocument;

/** A line of an audit log, or of a file with commands: where both may stand, and what a record says of a finding. */
public final class AuditLine {
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

    private static final int DAY_CHARS = "2026-12-01".length();

    private final BsonDocument document;
    private final AuditRecord record;

    private AuditLine(BsonDocument document) {
        this.document = document;
        this.record = AuditRecord.of(new BsonFields(document));
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

    public AuditRecord.Kind kind() {
        return record.kind();
    }

    Members members() {
        return new Members(document);
    }

    /** How many it stands for: the records of a gap, the findings of a count; 1 for anything else. */
    public long represents() {
        return record.represents();
    }

    /**
     * What it says of findings; empty if it says nothing of any with a query shape.
     *
     * @throws LineFormatException if it does, and has no usable day
     */
    public Optional<Finding> finding() {
        long times = record.findings();
        if (times == 0 || record.id().isEmpty()) {
            return Optional.empty();
        }
        RecordFields fields = record.fields();
        return Optional.of(new Finding(
                record.id(), record.namespace(), fields.text("shape", "text"), day(), times, fields.text("owner")));
    }

    private LocalDate day() {
        String at = record.fields().text("ts");
        try {
            return LocalDate.parse(at.substring(0, Math.min(at.length(), DAY_CHARS)));
        } catch (DateTimeParseException e) {
            throw new LineFormatException("member \"ts\" (expected: a time like 2026-12-01T10:20:30.123456Z)");
        }
    }
}
