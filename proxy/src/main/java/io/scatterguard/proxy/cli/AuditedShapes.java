package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.offline.AuditLine;
import io.scatterguard.proxy.offline.LineFormatException;
import io.scatterguard.proxy.records.AuditRecord;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The query shapes of the findings in audit logs. What is kept grows with the number of shapes, not with the logs. */
final class AuditedShapes {
    /** So many lines that cannot be used are named. */
    private static final int NAMED_LINES = 10;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

    private final Map<String, BaselineEntry> byId = new HashMap<>();
    private final List<String> unusable = new ArrayList<>();
    private long unusableLines;
    private long findings;

    /** @param known to begin with */
    AuditedShapes(List<BaselineEntry> known) {
        known.forEach(entry -> byId.put(entry.id(), entry));
    }

    /** Adds the findings of a log; - is standard input. A line that cannot be used is counted, and is no reason to stop. */
    void read(String log) throws IOException {
        try (InputLines lines = InputFile.lines(log)) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                String problem = add(lines, line);
                if (problem != null && unusableLines++ < NAMED_LINES) {
                    unusable.add(InputFile.name(log) + ":" + lines.number() + ": " + problem);
                }
            }
        }
    }

    /** What is wrong with a line; null if nothing. Blank ones, gaps and what is no finding are fine. */
    private @Nullable String add(InputLines lines, byte[] line) {
        try {
            String text = lines.decoded(line);
            if (text.isBlank()) {
                return null;
            }
            AuditLine audited = AuditLine.parse(text);
            if (audited.kind() == AuditRecord.Kind.OTHER) {
                return "no audit record";
            }
            audited.finding()
                    .filter(finding -> BaselineEntry.ID.matcher(finding.hash()).matches())
                    .ifPresent(this::add);
            return null;
        } catch (CharacterCodingException e) {
            return "not UTF-8";
        } catch (LineFormatException | IllegalArgumentException e) {
            // The latter of a text that no entry may hold, and no record of ours has.
            return String.valueOf(e.getMessage());
        }
    }

    private void add(AuditLine.Finding finding) {
        BaselineEntry before = byId.get(finding.hash());
        String owner = before != null && before.owner() != null ? before.owner() : oneLine(finding.owner());
        byId.put(
                finding.hash(),
                new BaselineEntry(
                        finding.hash(),
                        oneLine(finding.namespace()),
                        oneLine(finding.text()),
                        finding.times() + (before == null ? 0 : before.count()),
                        later(before == null ? null : before.lastSeen(), finding.day()),
                        owner,
                        before == null ? null : before.until()));
        findings += finding.times();
    }

    /** Names of fields and collections may hold what no line does. */
    private static @Nullable String oneLine(String text) {
        String line = CONTROL.matcher(text).replaceAll(" ");
        return line.isBlank() ? null : line;
    }

    private static LocalDate later(@Nullable LocalDate a, LocalDate b) {
        return a == null || b.isAfter(a) ? b : a;
    }

    /** The shape with this hash, if it is among them. */
    Optional<BaselineEntry> entry(String id) {
        return Optional.ofNullable(byId.get(id));
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

    /** What to say of the lines that could not be used: the first of them with file, line and reason, and how many. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>(unusable);
        if (unusableLines > 0) {
            complaints.add("left out what cannot be used: " + unusableLines + " lines"
                    + (unusableLines > NAMED_LINES ? ", of which the first " + NAMED_LINES + " are named" : ""));
        }
        return complaints;
    }
}
