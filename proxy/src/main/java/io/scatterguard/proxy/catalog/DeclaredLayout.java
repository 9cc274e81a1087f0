package io.scatterguard.proxy.catalog;

/**
 * What depends on the cluster's release in tables made of declared rules.
 *
 * @param hashedChunksPerShard how many chunks a shard gets when a collection is sharded by a key that begins hashed: 2 before
 *     7.2, then 1
 * @param viewless whether a time-series collection is tracked under its own name, as from 9.0 on, and not under that of its
 *     buckets
 */
public record DeclaredLayout(int hashedChunksPerShard, boolean viewless) {
    private static final int FIRST_WITH_ONE_CHUNK = 702;
    private static final int FIRST_VIEWLESS = 900;

    /** That of a release. */
    public static DeclaredLayout of(int major, int minor) {
        int release = major * 100 + minor;
        return new DeclaredLayout(release >= FIRST_WITH_ONE_CHUNK ? 1 : 2, release >= FIRST_VIEWLESS);
    }
}
