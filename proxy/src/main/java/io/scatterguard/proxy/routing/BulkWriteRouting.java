package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Routes {@code bulkWrite}: every op like the single statement on the collection that it names by its place in
 * {@code nsInfo} (targeting semantics §12). The route is about the collection of its worst op.
 */
final class BulkWriteRouting {
    private final RoutingContext context;
    private final List<BsonView> namespaces;
    private final @Nullable Collection[] collections;
    private ShardSet owning = ShardSet.none();

    private BulkWriteRouting(RoutingContext context) {
        this.context = context;
        this.namespaces = Batch.isTooLarge(context.command(), "nsInfo")
                ? List.of()
                : context.command().statements("nsInfo");
        this.collections = new Collection[namespaces.size()];
    }

    /** An entry of {@code nsInfo}; {@code sharded} only where a key decides, that of the collection or of its buckets. */
    private record Collection(
            StatementSubject subject,
            CollectionPlace place,
            @Nullable ShardedCollection sharded) {
        Namespace namespace() {
            return subject.namespace();
        }
    }

    static Route route(RoutingContext context) {
        return new BulkWriteRouting(context).route();
    }

    private Route route() {
        if (DuplicateFields.inCommand(context.command())) {
            return Routes.ambiguous(context.on(first()));
        }
        boolean readable = !namespaces.isEmpty() && !Batch.isTooLarge(context.command(), "ops");
        List<BsonView> ops = readable ? context.command().statements("ops") : List.of();
        List<StatementRoute> routes = new ArrayList<>(ops.size());
        Namespace worst = first();
        StatementRoute worstRoute = null;
        for (BsonView op : ops) {
            Collection collection = collectionOf(op);
            StatementRoute route = collection == null ? null : statement(op, collection);
            if (route == null || collection == null) {
                return Routes.notUnderstood(context.on(first()));
            }
            routes.add(collections.length > 1 ? route.about(collection.subject()) : route);
            if (worstRoute == null || Labels.isWorse(route, worstRoute)) {
                worstRoute = route;
                worst = collection.namespace();
            }
        }
        return routes.isEmpty()
                ? Routes.notUnderstood(context.on(first()))
                : Routes.of(context.on(worst), routes, owning);
    }

    /** The entry of {@code nsInfo} at {@code index}, read when an op first asks for it. */
    private Collection collection(int index) {
        Collection collection = collections[index];
        if (collection == null) {
            Namespace namespace = namespace(index);
            CollectionPlace place = CollectionPlace.ofForeign(namespace, context.catalog());
            RoutingTable table = place.table();
            ShardedCollection sharded = table == null ? null : new ShardedCollection(table, context.on(namespace));
            StatementSubject subject =
                    new StatementSubject(namespace, context.catalog().table(namespace));
            collection = new Collection(subject, place, sharded);
            collections[index] = collection;
        }
        return collection;
    }

    private Namespace namespace(int index) {
        BsonValueView ns = namespaces.get(index).get("ns");
        return Namespace.parse(ns != null && ns.isString() ? ns.string() : "");
    }

    private Namespace first() {
        return namespaces.isEmpty() ? context.namespace() : namespace(0);
    }

    /** The value of an op's first field is the index of its collection; null for one that there is not. */
    private @Nullable Collection collectionOf(BsonView op) {
        BsonCursor cursor = op.cursor();
        if (!cursor.next() || !cursor.value().isNumber()) {
            return null;
        }
        long index = cursor.value().numberAsLong();
        return index >= 0 && index < collections.length ? collection((int) index) : null;
    }

    /** Null for an op of another kind than the three. */
    private @Nullable StatementRoute statement(BsonView op, Collection collection) {
        BsonCursor cursor = op.cursor();
        cursor.next();
        String kind = cursor.name();
        if (!kind.equals("insert") && !kind.equals("update") && !kind.equals("delete")) {
            return null;
        }
        owning = owning.union(collection.place().owning());
        ShardedCollection sharded = collection.sharded();
        if (sharded != null && collection.place() instanceof CollectionPlace.Buckets) {
            return measurement(op, kind, BucketWrites.on(sharded, context.on(collection.namespace())));
        }
        if (sharded == null) {
            return unkeyed(collection, !kind.equals("insert") && UpdateStatement.isSet(op, "multi"));
        }
        if (DuplicateFields.inStatement(op)) {
            return sharded.ambiguousWrite();
        }
        boolean multi = UpdateStatement.isSet(op, "multi");
        return switch (kind) {
            case "insert" -> {
                BsonValueView document = op.get("document");
                yield document != null && document.isDocument()
                        ? InsertRouting.statement(document.document(), sharded)
                        : null;
            }
            case "update" -> {
                boolean upsert = UpdateStatement.isSet(op, "upsert");
                yield UpdateRouting.statement(
                        new UpdateStatement(op.get("filter"), op.get("updateMods"), multi, upsert), op, sharded);
            }
            default -> DeleteRouting.statement(op.get("filter"), !multi, op, sharded);
        };
    }

    /** On a collection that no key decides about. */
    private StatementRoute unkeyed(Collection collection, boolean multi) {
        CollectionPlace place = collection.place();
        RoutingContext on = context.on(collection.namespace());
        ShardSet registered = context.catalog().registry().registered();
        if (place instanceof CollectionPlace.Single single && !single.owner().isEmpty()) {
            ShardSet shards = multi && MultiWrites.areCoordinated(on) ? MultiWrites.primary(on) : single.owner();
            return shards.isEmpty()
                    ? Labels.plain(Placement.UNSHARDED, Certainty.UPPER_BOUND, registered, Reason.CATALOG_UNKNOWN)
                    : Labels.plain(Placement.UNSHARDED, Certainty.EXACT, shards, Reason.UNSHARDED);
        } else if (place instanceof CollectionPlace.Single) {
            return Labels.plain(Placement.UNSHARDED, Certainty.UPPER_BOUND, registered, Reason.UNSHARDED);
        } else if (place instanceof CollectionPlace.View view) {
            return ViewRouting.refused(view.primary(), PredictedError.COMMAND_NOT_SUPPORTED_ON_VIEW);
        } else if (place instanceof CollectionPlace.Unknown) {
            return Labels.plain(
                    Labels.placement(registered, registered),
                    Certainty.UPPER_BOUND,
                    registered,
                    Reason.CATALOG_UNKNOWN);
        }
        return Labels.statement(Target.upperBound(registered), place.owning());
    }

    /** An op on a time-series collection. */
    private static @Nullable StatementRoute measurement(BsonView op, String kind, BucketWrites writes) {
        if (DuplicateFields.inStatement(op)) {
            return writes.buckets().ambiguousWrite();
        }
        BsonValueView document = op.get("document");
        boolean multi = UpdateStatement.isSet(op, "multi");
        return switch (kind) {
            case "insert" -> document != null && document.isDocument() ? writes.insert(document.document()) : null;
            case "update" ->
                writes.update(
                        new UpdateStatement(
                                op.get("filter"), op.get("updateMods"), multi, UpdateStatement.isSet(op, "upsert")),
                        op);
            default -> writes.delete(op.get("filter"), !multi, op);
        };
    }
}
