package io.scatterguard.proxy.reports;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.records.AuditRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Adds audit records up to findings. What is kept grows with the number of shapes, up to {@link #MAX_SHAPES}, not with the
 * number of records. Not thread-safe.
 */
public final class FindingsTally {
    /** Further shapes are counted together; each takes about 4 KiB. */
    public static final int MAX_SHAPES = 100_000;

    private final Set<String> known;
    private final Map<String, FindingRow> rows = new HashMap<>();
    private long records;
    private long exempted;
    private long beyond;

    /** @param known the ids that are in the baseline */
    public FindingsTally(Set<String> known) {
        this.known = Set.copyOf(known);
    }

    /** Adds a record of the audit log: of a command, or of findings that were only counted. Others count for nothing. */
    public void add(JsonNode json) {
        AuditRecord record = AuditRecord.of(json);
        records += record.commands();
        if (record.kind() == AuditRecord.Kind.COUNTS) {
            exempted += record.exempted();
            addCounts(json, record);
        } else {
            addJudged(json, false);
        }
    }

    /**
     * Adds the record of a command that was judged by the caller, who counts it.
     *
     * @param continued if it is but a further batch of a command that came before, which counts as cost alone
     */
    public void addJudged(JsonNode json, boolean continued) {
        addJudged(json, () -> json, continued);
    }

    /**
     * Likewise, of a record that is made only where it is needed: once for each shape.
     *
     * @param whole of the whole record what is added up
     */
    public void addJudged(JsonNode json, Supplier<JsonNode> whole, boolean continued) {
        AuditRecord record = AuditRecord.of(json);
        exempted += continued ? 0 : record.exempted();
        if (record.findings() == 0 || record.id().isEmpty()) {
            return;
        }
        FindingRow known = rows.get(record.id());
        boolean example = known == null ? rows.size() < MAX_SHAPES : known.needsExample(json);
        JsonNode added = example ? whole.get() : json;
        FindingRow row = known == null ? row(record.id(), added, 1) : known;
        if (row != null) {
            row.add(added, record, continued);
        }
    }

    /** Of a finding that was only counted there is an example somewhere, but it may be in another file. */
    private void addCounts(JsonNode json, AuditRecord record) {
        long findings = record.findings();
        if (record.id().isEmpty() || findings == 0) {
            beyond += findings;
            return;
        }
        FindingRow row = row(record.id(), json, findings);
        if (row != null) {
            row.addCounts(json, record);
        }
    }

    @SuppressWarnings("NullAway") // null where there is no room
    private FindingRow row(String id, JsonNode record, long findings) {
        FindingRow row = rows.get(id);
        if (row == null) {
            if (rows.size() >= MAX_SHAPES) {
                beyond += findings;
                return null;
            }
            row = new FindingRow(id, record);
            rows.put(id, row);
        }
        return row;
    }

    /** What there is so far; the costliest first, then the most frequent. */
    public Findings findings() {
        return findings(0);
    }

    /** Likewise, with {@code judged} commands by whoever called {@link #addJudged}. */
    public Findings findings(long judged) {
        List<Finding> all = rows.values().stream()
                .map(row -> row.finding(known.contains(row.id())))
                .sorted(Findings.ORDER)
                .toList();
        return new Findings(all, new Findings.Totals(records + judged, exempted, beyond));
    }
}
