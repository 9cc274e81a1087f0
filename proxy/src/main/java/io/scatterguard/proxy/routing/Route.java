package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CollectionInfo;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a router will send a command. Prose is derived only when somebody reads it, by {@link RouteText}.
 *
 * @param kind whether the shard key decides at all
 * @param namespace the namespace that was routed
 * @param worst the statement that gives the command its labels: the worst of {@code statements} in shape, then placement
 * @param worstIndex where {@code worst} is in {@code statements}
 * @param statements one entry a statement; one for a command that has no batch
 * @param shards the union of the statements' shards
 * @param contacted further shards that are contacted besides {@code shards} (a merging shard, …)
 * @param placement of the whole command, counted over the union (§18.1)
 * @param table the routing table that was used; null if the collection is not tracked or the command not routed
 * @param registry names the ordinals
 * @param release the router's release it was predicted for
 */
public record Route(
        Kind kind,
        Namespace namespace,
        StatementRoute worst,
        int worstIndex,
        List<StatementRoute> statements,
        ShardSet shards,
        ShardSet contacted,
        Placement placement,
        @Nullable RoutingTable table,
        ShardRegistry registry,
        RouterRelease release) {
    public Route {
        statements = List.copyOf(statements);
        if (worstIndex < 0 || worstIndex >= statements.size()) {
            throw new IllegalArgumentException(
                    "worstIndex: " + worstIndex + " (expected: below " + statements.size() + ")");
        }
    }

    /** A route whose labels are those of the first statement that is equal to {@code worst}. */
    public Route(
            Kind kind,
            Namespace namespace,
            StatementRoute worst,
            List<StatementRoute> statements,
            ShardSet shards,
            ShardSet contacted,
            Placement placement,
            @Nullable RoutingTable table,
            ShardRegistry registry,
            RouterRelease release) {
        this(
                kind,
                namespace,
                worst,
                statements.indexOf(worst),
                statements,
                shards,
                contacted,
                placement,
                table,
                registry,
                release);
    }

    /** Whether, and how, a command is routed. */
    public enum Kind {
        /** By shard key, or to a database's primary. */
        ROUTED,
        /** It reaches everything by its nature: change streams, collectionless aggregation, DDL, statistics. */
        INTRINSIC,
        /** Handshake, authentication, sessions, cursors, administration. */
        NOT_ROUTED
    }

    /** A route of a command that no shard key decides on, or of which nothing could be found out. */
    public static Route notRouted(
            Namespace namespace, Certainty certainty, Reason reason, ShardRegistry registry, RouterRelease release) {
        StatementRoute nothing = Labels.plain(Placement.UNSHARDED, certainty, ShardSet.none(), reason);
        return new Route(
                Kind.NOT_ROUTED,
                namespace,
                nothing,
                List.of(nothing),
                ShardSet.none(),
                ShardSet.none(),
                Placement.UNSHARDED,
                null,
                registry,
                release);
    }

    /** The shape of the worst statement; null where there is none (unsharded, intrinsic, not routed, error). */
    public @Nullable Shape shape() {
        return worst.shape();
    }

    /** {@code UPPER_BOUND} if any statement is one. */
    public Certainty certainty() {
        for (StatementRoute statement : statements) {
            if (statement.certainty() == Certainty.UPPER_BOUND) {
                return Certainty.UPPER_BOUND;
            }
        }
        return Certainty.EXACT;
    }

    /**
     * Whether its shards are the most that it can reach though the rules of the router are certain: of a range over a key whose
     * chunk bounds nobody knows.
     */
    public boolean isMostPlacement() {
        boolean severalOfOne =
                worst.shape() == Shape.SINGLE_SHARD && worst.shards().size() > 1;
        return table != null && !table.boundsKnown() && (severalOfOne || worst.shape() == Shape.MULTI_SHARD);
    }

    /** How many shards there are: the registered ones, and those that it reaches besides. */
    public int shardTotal() {
        ShardSet registered = registry.registered();
        return (isPlaced() ? registered.union(shards).union(contacted) : registered).size();
    }

    public boolean isIntrinsic() {
        return kind == Kind.INTRINSIC;
    }

    /**
     * Whether it is known where the command goes, and not only what shape it has: false where of its collection nothing but
     * the key was read. Then {@link #shards}, {@link #contacted} and {@link #placement} mean nothing, the statements' neither.
     */
    public boolean isPlaced() {
        return table == null || table.isPlaced();
    }

    /** The sharded collection that the command reaches through a view; null if it names the collection itself. */
    public @Nullable Namespace viewOn() {
        if (table == null) {
            return null;
        }
        Namespace reached = table.collection().namespace();
        return reached.equals(namespace) || reached.collection().startsWith(CollectionInfo.BUCKETS) ? null : reached;
    }

    /** The namespace that statement {@code index} is about. */
    public Namespace namespaceOf(int index) {
        StatementSubject subject = statements.get(index).subject();
        return subject == null ? namespace : subject.namespace();
    }

    /**
     * The same route with statement {@code index} in the place of the worst, about what that is about; itself if there is no
     * such statement.
     */
    public Route about(int index) {
        if (index < 0 || index >= statements.size()) {
            return this;
        }
        StatementRoute statement = statements.get(index);
        StatementSubject subject = statement.subject();
        return new Route(
                kind,
                namespaceOf(index),
                statement,
                index,
                statements,
                shards,
                contacted,
                placement,
                subject == null ? table : subject.table(),
                registry,
                release);
    }
}
