package io.scatterguard.proxy.catalog;

/**
 * The placement of a collection at an earlier cluster time (targeting semantics §6.10).
 *
 * @param time the cluster time, seconds in the high 32 bits
 * @param table with the owners of that time; {@code tooShort} owns what was somewhere else, nobody knows where
 * @param tooShort an ordinal that is no shard's; −1 if the history of every chunk reaches back so far. A router answers
 *     with an error as soon as such a chunk is touched
 * @param certain whether the chunks of which no history is kept are sure to have been where they are; otherwise the
 *     router may answer with an error as well
 * @param followed false if more has moved since than is gone through: then {@code table} is that of the present, and all
 *     that is known of a target is {@link RoutingTable#everOwned()}
 */
public record PastPlacement(long time, RoutingTable table, int tooShort, boolean certain, boolean followed) {}
