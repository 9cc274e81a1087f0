package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.scatterguard.proxy.offline.AuditLine;
import io.scatterguard.proxy.records.AuditRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The lines of audit logs that tell too little to try a policy on, by their kinds. */
final class LeftOut {
    private final Map<AuditRecord.Kind, Long> lines = new EnumMap<>(AuditRecord.Kind.class);
    private final Map<AuditRecord.Kind, Long> represented = new EnumMap<>(AuditRecord.Kind.class);

    void add(AuditLine line) {
        lines.merge(line.kind(), 1L, Long::sum);
        represented.merge(line.kind(), line.represents(), Long::sum);
    }

    private long lines(AuditRecord.Kind kind) {
        return lines.getOrDefault(kind, 0L);
    }

    private long represented(AuditRecord.Kind kind) {
        return represented.getOrDefault(kind, 0L);
    }

    /** One line, with its line feed; empty if there are none. */
    String text() {
        List<String> parts = new ArrayList<>();
        if (lines(AuditRecord.Kind.GAP) > 0) {
            parts.add(lines(AuditRecord.Kind.GAP) + " gaps (" + represented(AuditRecord.Kind.GAP)
                    + " records are missing)");
        }
        if (lines(AuditRecord.Kind.COUNTS) > 0) {
            parts.add(lines(AuditRecord.Kind.COUNTS) + " counts (" + represented(AuditRecord.Kind.COUNTS)
                    + " findings without a record)");
        }
        if (lines(AuditRecord.Kind.NOT_ROUTED) > 0) {
            parts.add(lines(AuditRecord.Kind.NOT_ROUTED) + " records of commands that are not routed");
        }
        return parts.isEmpty() ? "" : "left out: " + String.join(", ", parts) + "\n";
    }

    /** The same as members of {@code json}. */
    void write(ObjectNode json) {
        json.put("gaps", lines(AuditRecord.Kind.GAP))
                .put("missingRecords", represented(AuditRecord.Kind.GAP))
                .put("counts", lines(AuditRecord.Kind.COUNTS))
                .put("countedFindings", represented(AuditRecord.Kind.COUNTS))
                .put("notRouted", lines(AuditRecord.Kind.NOT_ROUTED));
    }
}
