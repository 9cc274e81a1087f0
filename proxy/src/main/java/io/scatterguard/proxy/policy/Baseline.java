package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.BaselineEntry;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The query shapes that are known: they are not refused, so that only new ones are. */
public final class Baseline {
    static final Baseline EMPTY = new Baseline(List.of());

    private final Map<String, Expiry> known = new HashMap<>();

    public Baseline(List<BaselineEntry> entries) {
        entries.forEach(entry -> known.put(entry.id(), Expiry.after(entry.until())));
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    /** The hashes of all shapes that are still let pass. */
    public Set<String> known(Instant now) {
        return known.entrySet().stream()
                .filter(entry -> !entry.getValue().isOver(now))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the shape with this hash is known, and still let pass. */
    boolean knows(String shape, Instant now) {
        Expiry expiry = known.get(shape);
        return expiry != null && !expiry.isOver(now);
    }
}
