package io.scatterguard.proxy.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives shard ids their ordinals while metadata is read. It only grows, and whoever keeps routing tables between two
 * reads must keep the ordinals as well, also when the second read fails half-way. Thread-safe.
 */
final class ShardOrdinals {
    private final List<String> ids = new ArrayList<>();
    private final Map<String, Integer> ordinals = new HashMap<>();

    /** Starts with the ordinals of {@code known}. */
    ShardOrdinals(ShardRegistry known) {
        known.ids().forEach(this::ordinal);
    }

    /** The ordinal of {@code id}, a new one if it was never seen. */
    synchronized int ordinal(String id) {
        Integer known = ordinals.get(id);
        if (known != null) {
            return known;
        }
        ids.add(id);
        ordinals.put(id, ids.size() - 1);
        return ids.size() - 1;
    }

    /** How many shards were seen so far. */
    synchronized int size() {
        return ids.size();
    }

    /** All shards seen so far, of which exactly {@code registeredIds} are registered. */
    synchronized ShardRegistry registry(Collection<String> registeredIds) {
        return ShardRegistry.empty().withSeen(ids).withRegistered(registeredIds);
    }
}
