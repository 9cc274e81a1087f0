package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.proxy.config.BaselineEntry;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The query shapes of the findings in audit logs. What is kept grows with the number of shapes, not with the logs. */
final class AuditedShapes {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, BaselineEntry> byId = new HashMap<>();
    private long findings;
    private long foreignLines;
    private String firstForeign = "";

    /** @param known to begin with */
    AuditedShapes(List<BaselineEntry> known) {
        known.forEach(entry -> byId.put(entry.id(), entry));
    }

    /** Adds the findings of a log; - is standard input. */
    void read(String log) throws IOException {
        try (InputLines lines = InputFile.lines(log)) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                if (!add(lines, line)) {
                    if (foreignLines++ == 0) {
                        firstForeign = InputFile.name(log) + " line " + lines.number();
                    }
                }
            }
        }
    }

    /** False if the line is no record. Blank ones, gaps and what is no finding are fine. */
    private boolean add(InputLines lines, byte[] line) {
        try {
            String text = lines.decoded(line);
            if (text.isBlank()) {
                return true;
            }
            JsonNode record = JSON.readTree(text);
            if (!record.path("seq").isNumber() && !record.path("gap").isObject()) {
                return false;
            }
            long findings = findingsIn(record);
            if (findings > 0) {
                add(record, findings);
            }
            return true;
        } catch (CharacterCodingException | JsonProcessingException | DateTimeParseException e) {
            return false;
        }
    }

    /** How many findings a record stands for that no exemption lifted: itself, or those that it counts. */
    private static long findingsIn(JsonNode record) {
        JsonNode counts = record.path("counts");
        JsonNode verdict = record.path("verdict");
        if (!BaselineEntry.ID.matcher(hash(record)).matches()) {
            return 0;
        }
        if (counts.isObject()) {
            return counts.path("findings").asLong() - counts.path("exempted").asLong();
        }
        boolean found = !verdict.path("action").asText("allow").equals("allow");
        return found && !verdict.has("exemption") ? 1 : 0;
    }

    private static String hash(JsonNode record) {
        return record.path("shape").path("hash").asText("");
    }

    private void add(JsonNode record, long times) {
        findings += times;
        String id = hash(record);
        BaselineEntry before = byId.get(id);
        LocalDate seen = LocalDate.parse(record.path("ts").asText("").substring(0, 10));
        byId.put(
                id,
                new BaselineEntry(
                        id,
                        record.path("db").asText("") + "." + record.path("coll").asText(""),
                        oneLine(record.path("shape").path("text").asText("")),
                        times + (before == null ? 0 : before.count()),
                        before == null ? seen : later(before.lastSeen(), seen),
                        before != null && before.owner() != null ? before.owner() : text(record, "owner"),
                        before == null ? null : before.until()));
    }

    private static @Nullable String oneLine(String text) {
        return text.isEmpty() ? null : text.replaceAll("\\R", " ");
    }

    private static @Nullable String text(JsonNode record, String field) {
        String text = record.path(field).asText("");
        return text.isEmpty() ? null : text;
    }

    private static LocalDate later(@Nullable LocalDate a, LocalDate b) {
        return a == null || b.isAfter(a) ? b : a;
    }

    /** By namespace, the most frequent first. */
    List<BaselineEntry> entries() {
        Comparator<BaselineEntry> byNamespace =
                Comparator.comparing(entry -> Objects.requireNonNullElse(entry.namespace(), ""));
        return byId.values().stream()
                .sorted(byNamespace
                        .thenComparing(
                                Comparator.comparingLong(BaselineEntry::count).reversed())
                        .thenComparing(BaselineEntry::id))
                .toList();
    }

    long findings() {
        return findings;
    }

    long foreignLines() {
        return foreignLines;
    }

    /** Which file and line the first of them is. */
    String firstForeign() {
        return firstForeign;
    }
}
