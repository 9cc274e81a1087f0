package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.proxy.config.BaselineEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The findings of a JSON report, as entries of a baseline. */
final class ReportedShapes {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int DAY_CHARS = "2026-12-01".length();

    private ReportedShapes() {}

    /**
     * The finding {@code id} in the report {@code file}.
     *
     * @throws InputException if it is no report
     */
    static Optional<BaselineEntry> entry(Path file, String id) throws IOException {
        JsonNode findings;
        try {
            findings = JSON.readTree(Files.readAllBytes(file)).path("findings");
        } catch (JsonProcessingException e) {
            throw new InputException(
                    "--findings " + file + ": not JSON (expected: a report of exec or check, --report json)");
        } catch (IOException e) {
            throw new InputException(
                    "--findings " + file + ": cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        if (!findings.isArray()) {
            throw new InputException(
                    "--findings " + file + ": no findings (expected: a report of exec or check, --report json)");
        }
        for (JsonNode finding : findings) {
            if (finding.path("id").asText("").equals(id)) {
                return Optional.of(entry(id, finding));
            }
        }
        return Optional.empty();
    }

    private static BaselineEntry entry(String id, JsonNode finding) {
        String shape = finding.path("shape").asText("");
        return new BaselineEntry(
                id,
                text(finding.path("namespace").asText("")),
                text(shape.length() > BaselineEntry.MAX_SHAPE_CHARS ? "" : shape),
                Math.max(0, finding.path("seen").path("times").asLong()),
                day(finding.path("seen").path("last").asText("")),
                null,
                null);
    }

    private static @Nullable String text(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable LocalDate day(String time) {
        try {
            return time.length() < DAY_CHARS ? null : LocalDate.parse(time.substring(0, DAY_CHARS));
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
