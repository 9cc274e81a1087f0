package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.BaselineEntry;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The query shapes that are known: they are not refused, so that only new ones are. */
final class Baseline {
    static final Baseline EMPTY = new Baseline(List.of());

    private final Map<String, Expiry> known = new HashMap<>();

    Baseline(List<BaselineEntry> entries) {
        entries.forEach(entry -> known.put(entry.id(), Expiry.after(entry.until())));
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    /** Whether the shape with this hash is known, and still let pass. */
    boolean knows(String shape, Instant now) {
        Expiry expiry = known.get(shape);
        return expiry != null && !expiry.isOver(now);
    }
}
