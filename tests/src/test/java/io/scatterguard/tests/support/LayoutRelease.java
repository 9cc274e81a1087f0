package io.scatterguard.tests.support;

import java.util.Locale;

/** The releases whose forms of the {@code config} database differ, oldest first. */
public enum LayoutRelease {
    /** Chunks by {@code ns}, tombstones of dropped collections. */
    V4_4,
    /** Chunks by {@code uuid}; collections and databases have a {@code timestamp}. */
    V5_0,
    /** Time-series collections can be sharded; databases no longer say {@code partitioned}. */
    V6_0,
    /** Chunks say {@code onCurrentShardSince}; {@code config.version} lost its numbers; a config server can be a shard. */
    V7_0,
    /** Collections can be tracked without being sharded. */
    V8_0;

    boolean isAtLeast(LayoutRelease other) {
        return compareTo(other) >= 0;
    }

    /** As in {@code buildInfo.version}, without a patch level. */
    public String number() {
        return name().substring(1).replace('_', '.');
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
