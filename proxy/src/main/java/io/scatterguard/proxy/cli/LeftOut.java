package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.scatterguard.proxy.offline.AuditLine;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The lines of audit logs that tell too little to try a policy on, by their kinds. */
final class LeftOut {
    private final Map<AuditLine.Kind, Long> lines = new EnumMap<>(AuditLine.Kind.class);
    private final Map<AuditLine.Kind, Long> represented = new EnumMap<>(AuditLine.Kind.class);

    void add(AuditLine line) {
        lines.merge(line.kind(), 1L, Long::sum);
        represented.merge(line.kind(), line.represents(), Long::sum);
    }

    private long lines(AuditLine.Kind kind) {
        return lines.getOrDefault(kind, 0L);
    }

    private long represented(AuditLine.Kind kind) {
        return represented.getOrDefault(kind, 0L);
    }

    /** One line, with its line feed; empty if there are none. */
    String text() {
        List<String> parts = new ArrayList<>();
        if (lines(AuditLine.Kind.GAP) > 0) {
            parts.add(
                    lines(AuditLine.Kind.GAP) + " gaps (" + represented(AuditLine.Kind.GAP) + " records are missing)");
        }
        if (lines(AuditLine.Kind.COUNTS) > 0) {
            parts.add(lines(AuditLine.Kind.COUNTS) + " counts (" + represented(AuditLine.Kind.COUNTS)
                    + " findings without a record)");
        }
        if (lines(AuditLine.Kind.NOT_ROUTED) > 0) {
            parts.add(lines(AuditLine.Kind.NOT_ROUTED) + " records of commands that are not routed");
        }
        return parts.isEmpty() ? "" : "left out: " + String.join(", ", parts) + "\n";
    }

    /** The same as members of {@code json}. */
    void write(ObjectNode json) {
        json.put("gaps", lines(AuditLine.Kind.GAP))
                .put("missingRecords", represented(AuditLine.Kind.GAP))
                .put("counts", lines(AuditLine.Kind.COUNTS))
                .put("countedFindings", represented(AuditLine.Kind.COUNTS))
                .put("notRouted", lines(AuditLine.Kind.NOT_ROUTED));
    }
}
