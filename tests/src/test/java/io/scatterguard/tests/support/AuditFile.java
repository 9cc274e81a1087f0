package io.scatterguard.tests.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/**
 * What stands in a file of the audit log, or in several one after the other.
 *
 * @param records how many records
 * @param missing how many records its gaps stand for
 * @param last the last {@code seq} that is there or in a gap
 * @param problems what must not be: a {@code seq} that is neither a record nor in a gap, twice, or out of order; a broken line
 */
public record AuditFile(long records, long missing, long last, List<String> problems) {
    /** Reads {@code files} in their order; an unfinished last line is left out. */
    public static AuditFile read(List<Path> files) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : files) {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(lines::add);
        }
        return of(lines);
    }

    private static AuditFile of(List<String> lines) {
        long records = 0;
        long missing = 0;
        long last = 0;
        List<String> problems = new ArrayList<>();
        for (String line : lines) {
            BsonDocument record = BsonDocument.parse(line);
            boolean isGap = record.containsKey("gap");
            BsonDocument gap = isGap ? record.getDocument("gap") : record;
            long from = number(gap, isGap ? "from" : "seq");
            long to = number(gap, isGap ? "to" : "seq");
            if (from != last + 1) {
                problems.add("after " + last + ": " + line);
            }
            last = to;
            records += isGap ? 0 : 1;
            missing += isGap ? number(gap, "count") : 0;
        }
        return new AuditFile(records, missing, last, problems);
    }

    private static long number(BsonDocument document, String field) {
        return document.getNumber(field).longValue();
    }
}
