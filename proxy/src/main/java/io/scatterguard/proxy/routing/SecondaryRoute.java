package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ShardSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a stage of a pipeline goes on to: a collection that it reads or writes besides the command's own. It is routed
 * later, by the node that runs the stage, and counts for no label of the command (targeting semantics §9.5).
 *
 * @param stage the stage's name with its {@code $}, for instance {@code $lookup}
 * @param namespace the other collection
 * @param shape what the other collection's key makes of one such access; null where no key decides: it is not sharded, or
 *     nothing is known of it
 * @param shards the shards it may reach, as ordinals of the catalog's registry; empty where they are not known
 * @param certainty {@code EXACT} if it reaches all of {@code shards}; {@code UPPER_BOUND} where the documents decide which
 *     of them, or something is not understood
 * @param perDocument whether it happens anew for each document that comes into the stage, so that many single-shard
 *     accesses may reach many shards
 */
public record SecondaryRoute(
        String stage,
        Namespace namespace,
        @Nullable Shape shape,
        ShardSet shards,
        Certainty certainty,
        boolean perDocument) {}
