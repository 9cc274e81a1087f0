package io.scatterguard.proxy.summary;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.config.ExemptionConfig;
import io.scatterguard.proxy.records.AuditRecord;
import io.scatterguard.proxy.records.AuditRecord.Kind;
import io.scatterguard.proxy.records.AuditRecord.Says;
import io.scatterguard.proxy.records.RecordFields;
import io.scatterguard.proxy.reports.Finding;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.FindingsTally;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds the records of audit logs up to a {@link Summary}, in whatever order they come. Not thread-safe. */
public final class SummaryTally {
    private final Scope scope;
    private final FindingsTally shapes = new FindingsTally(Set.of());
    private final Counted counted = new Counted();
    private final ExemptionUses exemptions = new ExemptionUses();
    private final Sources sources = new Sources();
    private final DayTally days = new DayTally();
    private final Dimensions dimensions = new Dimensions();
    private final Map<String, Long> consequences = new HashMap<>();
    private @Nullable Instant first;
    private @Nullable Instant last;
    private Sums total = Sums.NONE;
    private long commands;
    private long uncosted;
    private long records;
    /** When the shapes of what is outside were first seen. */
    private final Map<String, Instant> earlier = new HashMap<>();

    private long outside;
    private long elsewhere;
    private long lost;
    private long gaps;

    public SummaryTally(Scope scope) {
        this.scope = scope;
    }

    /**
     * Adds a line of an audit log.
     *
     * @return whether it is one
     */
    public boolean add(JsonNode json) {
        AuditRecord record = AuditRecord.of(json);
        if (record.kind() == Kind.OTHER) {
            return false;
        }
        sources.add(record);
        Instant at = record.at().orElse(null);
        LocalDate day = at == null ? null : LocalDate.ofInstant(at, ZoneOffset.UTC);
        if (record.kind() == Kind.GAP) {
            addGap(record, day);
        } else if (!scope.holds(day) || !scope.namespaces().test(record.namespace())) {
            outside++;
            elsewhere += scope.holds(day) ? 1 : 0;
            earlier(record, at);
        } else {
            records++;
            commands += record.commands();
            seen(at);
            shapes.add(json);
            if (record.kind() == Kind.COUNTS) {
                addCounts(record, day);
            } else {
                addCommand(record, day);
            }
        }
        return true;
    }

    /** What was there before the period is not new in it. */
    private void earlier(AuditRecord record, @Nullable Instant at) {
        if (at == null || record.id().isEmpty() || record.findings() == 0) {
            return;
        }
        if (earlier.size() < FindingsTally.MAX_SHAPES || earlier.containsKey(record.id())) {
            earlier.merge(record.id(), at, (one, other) -> one.isBefore(other) ? one : other);
        }
    }

    private boolean isNew(Finding finding) {
        Instant before = earlier.get(finding.id());
        return scope.isNew(finding.seen().first()) && (before == null || scope.isNew(before));
    }

    private void addGap(AuditRecord record, @Nullable LocalDate day) {
        if (scope.holds(day)) {
            gaps++;
            lost += record.represents();
            days.add(day, 0, Sums.NONE, record.represents());
        }
    }

    private void seen(@Nullable Instant at) {
        if (at != null) {
            first = first == null || at.isBefore(first) ? at : first;
            last = last == null || at.isAfter(last) ? at : last;
        }
    }

    private void addCommand(AuditRecord record, @Nullable LocalDate day) {
        Sums sums = Sums.of(record);
        days.add(day, 1, sums, 0);
        if (record.says() == Says.CONSEQUENCE) {
            consequences.merge(record.fields().text("verdict", "reason"), 1L, Long::sum);
        }
        if (record.says() == Says.EXEMPTED) {
            exemptions.add(record);
        }
        if (!sums.isNothing()) {
            counted.example(record);
            add(sums, record.shards());
            RecordFields fields = record.fields();
            dimensions.add(
                    new Dimensions.Names(
                            Counted.app(record),
                            fields.text("user"),
                            fields.text("owner"),
                            record.namespace(),
                            rule(fields)),
                    sums);
        }
    }

    private static String rule(RecordFields fields) {
        String rule = fields.text("verdict", "rule");
        return rule.isEmpty() ? "(" + fields.text("verdict", "reason") + ")" : rule;
    }

    private void addCounts(AuditRecord record, @Nullable LocalDate day) {
        if (record.exempted() > 0) {
            exemptions.addCounted(record);
        }
        if (record.id().isEmpty() || !counted.add(record, day)) {
            Sums sums = Counted.sums(record); // of whatever shapes
            days.add(day, record.commands(), sums, 0);
            dimensions.addOther(sums);
            add(sums, 0);
        } else {
            days.add(day, record.commands(), Sums.NONE, 0);
        }
    }

    private void add(Sums sums, int shards) {
        total = total.plus(sums);
        uncosted += shards == 0 ? sums.serverMicros() : 0;
    }

    /** What there is. To be called once, at the end. */
    public Summary summary(int top, @Nullable List<ExemptionConfig> known, LocalDate today) {
        Findings found = shapes.findings();
        settle(found);
        List<Finding> fresh = found.all().stream().filter(this::isNew).toList();
        return new Summary(
                new Summary.Period(first, last, scope.since(), today),
                new Summary.Read(records, outside, elsewhere, lost, gaps),
                new Summary.Totals(commands, total, uncosted, consequences),
                new Summary.Shapes(
                        first(found.all(), top),
                        found.all().size(),
                        found.totals().beyond(),
                        first(fresh, top),
                        fresh.size()),
                dimensions.parts(top),
                days.all(),
                ExemptionList.of(exemptions, known, today),
                sources.all());
    }

    private void settle(Findings found) {
        Map<String, Integer> shards = new HashMap<>();
        found.all().forEach(finding -> shards.put(finding.id(), finding.reach().shards()));
        counted.settle(shards, (cell, owner) -> {
            days.add(cell.day(), 0, cell.sums(), 0);
            add(cell.sums(), Math.max(0, shards.getOrDefault(cell.id(), 0)));
            dimensions.add(new Dimensions.Names(cell.app(), "", owner, cell.namespace(), ""), cell.sums());
        });
    }

    private static List<Finding> first(List<Finding> findings, int top) {
        return findings.subList(0, Math.min(top, findings.size()));
    }
}
