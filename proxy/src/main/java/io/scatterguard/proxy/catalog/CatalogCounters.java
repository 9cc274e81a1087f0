package io.scatterguard.proxy.catalog;

/**
 * What reading metadata cost since the start.
 *
 * @param queries asked of the source, also those that failed
 * @param chunksRead documents of {@code config.chunks}
 * @param deltas how often the changed chunks of a collection were asked for, whether there were any or not
 * @param fullLoads how often all chunks of a collection were read
 * @param rejected how often what was read was no table: a gap, an overlap, a chunk that could not be understood
 */
public record CatalogCounters(long queries, long chunksRead, long deltas, long fullLoads, long rejected) {
    /** Nothing was read. */
    static final CatalogCounters NONE = new CatalogCounters(0, 0, 0, 0, 0);
}
