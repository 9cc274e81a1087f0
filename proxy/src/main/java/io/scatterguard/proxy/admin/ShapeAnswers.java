package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.findings.KnownShape;
import io.scatterguard.proxy.findings.ShapeListing;
import io.scatterguard.proxy.findings.Tally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Answers that list shapes, the first ones by a rank. */
final class ShapeAnswers {
    /** Refusals, and what has no known placement, cost no shard time: then it is the servers' time, then the number. */
    static final Comparator<KnownShape> BY_COST = Comparator.<KnownShape>comparingLong(
                    shape -> shape.tally().timesOfFindings().shardMicros())
            .thenComparingLong(shape -> shape.tally().timesOfFindings().serverMicros())
            .thenComparingLong(shape -> shape.tally().findings())
            .reversed();

    static final Comparator<KnownShape> BY_COMMANDS = Comparator.<KnownShape>comparingLong(
                    shape -> shape.tally().commands())
            .thenComparingLong(shape -> shape.tally().times().shardMicros())
            .reversed();

    private ShapeAnswers() {}

    /** Those that were findings, by what these cost. */
    static Map<String, Object> findings(ShapeListing listing, ShapeQuery query) {
        List<KnownShape> matching = listing.shapes().stream()
                .filter(shape -> shape.lastFinding() != null)
                .filter(shape -> query.matches(shape, opinion(shape)))
                .sorted(BY_COST)
                .toList();
        List<Map<String, Object>> page = new ArrayList<>();
        for (KnownShape shape : matching.subList(0, Math.min(query.limit(), matching.size()))) {
            page.add(ShapeFields.of(shape, opinion(shape), shape.tally().timesOfFindings(), listing));
        }
        return answer(listing, matching.size(), "findings", page);
    }

    /** All, by how often they were sent. */
    static Map<String, Object> shapes(ShapeListing listing, ShapeQuery query) {
        List<KnownShape> matching = listing.shapes().stream()
                .filter(shape -> query.matches(shape, shape.last()))
                .sorted(BY_COMMANDS)
                .toList();
        List<Map<String, Object>> page = new ArrayList<>();
        for (KnownShape shape : matching.subList(0, Math.min(query.limit(), matching.size()))) {
            page.add(ShapeFields.of(shape, shape.last(), shape.tally().times(), listing));
        }
        return answer(listing, matching.size(), "shapes", page);
    }

    private static KnownShape.Opinion opinion(KnownShape shape) {
        return Objects.requireNonNullElse(shape.lastFinding(), shape.last());
    }

    private static Map<String, Object> answer(
            ShapeListing listing, int total, String name, List<Map<String, Object>> page) {
        Map<String, Object> answer = summary(listing);
        answer.put("total", total);
        answer.put(name, page);
        return answer;
    }

    /** What holds of the whole table. */
    static Map<String, Object> summary(ShapeListing listing) {
        Tally total = listing.total();
        Map<String, Object> other = ShapeFields.counts(listing.other());
        other.put("displaced", listing.displaced());
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("since", listing.since());
        summary.put("seconds", listing.counted().toMillis() / 1_000.0);
        summary.put("known", listing.shapes().size());
        summary.put("counts", ShapeFields.counts(total));
        summary.put("other", other);
        return summary;
    }
}
