package io.scatterguard.proxy.catalog;

import java.util.HashSet;
import java.util.Set;

/**
 * What was read by itself while a sweep was under way. A sweep is no snapshot: what it read of these may be from before, so
 * that it does not count. Not thread-safe.
 */
final class SweepOverlap {
    private final Set<String> collections = new HashSet<>();
    private final Set<String> databases = new HashSet<>();
    private boolean shards;
    private boolean sweeping;

    /** A sweep begins to read. One that failed needs no end. */
    void begin() {
        clear();
        sweeping = true;
    }

    /** What the sweep has read is taken over. */
    void end() {
        clear();
        sweeping = false;
    }

    private void clear() {
        collections.clear();
        databases.clear();
        shards = false;
    }

    /** @param name the full name of a collection that is as it was read now */
    void collection(String name) {
        if (sweeping) {
            collections.add(name);
        }
    }

    /** @param name of a database that is, with all its collections, as it was read now */
    void database(String name) {
        if (sweeping) {
            databases.add(name);
        }
    }

    void shards() {
        shards = sweeping;
    }

    /** Whether the sweep's word on the collection does not count. */
    boolean hasCollection(String name) {
        if (collections.contains(name)) {
            return true;
        }
        int dot = name.indexOf('.');
        return dot >= 0 && !databases.isEmpty() && databases.contains(name.substring(0, dot));
    }

    /** The databases of which the sweep's word does not count. */
    Set<String> databases() {
        return databases;
    }

    /** Whether the sweep's word on the shards does not count. */
    boolean hasShards() {
        return shards;
    }
}
