package io.scatterguard.proxy.reports;

import com.fasterxml.jackson.databind.JsonNode;
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
    public void add(JsonNode record) {
        JsonNode counts = record.path("counts");
        if (counts.isObject()) {
            addCounts(record, counts);
            return;
        }
        records += record.has("verdict") ? 1 : 0;
        addJudged(record, false);
    }

    /**
     * Adds the record of a command that was judged by the caller, who counts it.
     *
     * @param continued if it is but a further batch of a command that came before, which counts as cost alone
     */
    public void addJudged(JsonNode record, boolean continued) {
        addJudged(record, () -> record, continued);
    }

    /**
     * Likewise, of a record that is made only where it is needed: once for each shape.
     *
     * @param record of the whole what is added up
     */
    public void addJudged(JsonNode record, Supplier<JsonNode> whole, boolean continued) {
        JsonNode verdict = record.path("verdict");
        if (verdict.path("action").asText("allow").equals("allow") && !verdict.has("exemption")) {
            return;
        }
        String id = id(record);
        if (id.isEmpty() || Consequences.isOf(verdict.path("reason").asText(""))) {
            return;
        }
        if (verdict.has("exemption")) {
            exempted += continued ? 0 : 1;
            return;
        }
        FindingRow known = rows.get(id);
        boolean example = known == null ? rows.size() < MAX_SHAPES : known.needsExample();
        JsonNode added = example ? whole.get() : record;
        FindingRow row = known == null ? row(id, added, 1) : known;
        if (row != null) {
            row.add(added, continued);
        }
    }

    /** Of a finding that was only counted there is an example somewhere, but it may be in another file. */
    private void addCounts(JsonNode record, JsonNode counts) {
        records += counts.path("findings").asLong();
        exempted += counts.path("exempted").asLong();
        long findings =
                counts.path("findings").asLong() - counts.path("exempted").asLong();
        String id = id(record);
        if (id.isEmpty() || findings <= 0) {
            beyond += Math.max(0, findings);
            return;
        }
        FindingRow row = row(id, record, findings);
        if (row != null) {
            row.add(record, counts, findings);
        }
    }

    private static String id(JsonNode record) {
        return record.path("shape").path("hash").asText("");
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
