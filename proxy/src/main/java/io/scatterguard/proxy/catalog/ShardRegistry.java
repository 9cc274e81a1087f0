package io.scatterguard.proxy.catalog;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The shards of a cluster. Every shard ever seen has an ordinal that it keeps for the life of the process, so that routing
 * tables of different ages can be compared; {@link #registered()} says which are in {@code config.shards} now.
 *
 * @param ids the shard ids by ordinal
 * @param registered the ordinals present in {@code config.shards} when this was read
 */
public record ShardRegistry(List<String> ids, ShardSet registered) {
    public ShardRegistry {
        ids = List.copyOf(ids);
    }

    public static ShardRegistry empty() {
        return new ShardRegistry(List.of(), ShardSet.none());
    }

    /** A registry in which exactly {@code registeredIds} are registered; ordinals known here are kept. */
    public ShardRegistry withRegistered(Collection<String> registeredIds) {
        List<String> all = new ArrayList<>(ids);
        BitSet present = new BitSet();
        for (String id : registeredIds) {
            int ordinal = all.indexOf(id);
            if (ordinal < 0) {
                ordinal = all.size();
                all.add(id);
            }
            present.set(ordinal);
        }
        return new ShardRegistry(all, ShardSet.of(present));
    }

    /**
     * A registry that also knows {@code seenIds}, without registering them: a chunk or a database can name a shard that
     * {@code config.shards} does not have, or not yet.
     */
    public ShardRegistry withSeen(Collection<String> seenIds) {
        Set<String> all = new LinkedHashSet<>(ids);
        all.addAll(seenIds);
        return new ShardRegistry(List.copyOf(all), registered);
    }

    /** The ordinal of a shard id, −1 if it was never seen. */
    public int ordinal(String id) {
        return ids.indexOf(id);
    }

    /** The ids of the shards in {@code set}, in the order of their ordinals. */
    public List<String> names(ShardSet set) {
        List<String> names = new ArrayList<>(set.size());
        set.forEach(ordinal -> names.add(ids.get(ordinal)));
        return names;
    }
}
