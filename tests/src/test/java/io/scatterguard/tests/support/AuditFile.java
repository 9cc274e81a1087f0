package io.scatterguard.tests.support;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * What stands in a file of the audit log, or in several one after the other.
 *
 * @param records how many records
 * @param missing how many records its gaps stand for
 * @param last the last {@code seq} that is there or in a gap
 * @param findings how many findings the records are, or count
 * @param problems what must not be: a {@code seq} that is neither a record nor in a gap, twice, or out of order; a broken line
 */
public record AuditFile(long records, long missing, long last, long findings, List<String> problems) {
    public AuditFile {
        problems = List.copyOf(problems);
    }

    /** Reads {@code files} in their order, line by line; an unfinished last line is left out. */
    public static AuditFile read(List<Path> files) throws IOException {
        Reading reading = new Reading();
        for (Path file : files) {
            String[] held = new String[1];
            try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
                lines.forEach(line -> {
                    if (held[0] != null) {
                        reading.line(held[0]);
                    }
                    held[0] = line;
                });
            }
            if (held[0] != null && endsWithALine(file)) {
                reading.line(held[0]);
            }
        }
        return reading.read();
    }

    private static boolean endsWithALine(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
            if (bytes.length() == 0) {
                return false;
            }
            bytes.seek(bytes.length() - 1);
            return bytes.read() == '\n';
        }
    }

    /** What was found so far, of lines that are not kept. Thread-safe. */
    public static final class Reading {
        private final List<String> problems = new ArrayList<>();
        private long records;
        private long missing;
        private long last;
        private long findings;

        /** Reads the next line. */
        public synchronized void line(String line) {
            BsonDocument record = BsonDocument.parse(line);
            boolean isGap = record.containsKey("gap");
            BsonDocument gap = isGap ? record.getDocument("gap") : record;
            long from = number(gap, isGap ? "from" : "seq");
            if (from != last + 1) {
                problems.add("after " + last + ": " + line);
            }
            last = number(gap, isGap ? "to" : "seq");
            if (isGap) {
                missing += number(gap, "count");
                return;
            }
            records++;
            findings += record.containsKey("counts") ? number(record.getDocument("counts"), "findings") : 1;
        }

        /** What was read. */
        public synchronized AuditFile read() {
            return new AuditFile(records, missing, last, findings, problems);
        }

        private static long number(BsonDocument document, String field) {
            return document.getNumber(field).longValue();
        }
    }
}
