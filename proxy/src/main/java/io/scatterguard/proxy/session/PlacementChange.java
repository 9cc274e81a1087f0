package io.scatterguard.proxy.session;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.CollectionInfo;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells which metadata a command changes when it is carried out, by its name and where each names its namespace. */
final class PlacementChange {
    /** Stands for all metadata. */
    static final Namespace EVERYTHING = new Namespace("", "");

    /** What an administrative command names by its first value. */
    private enum Names {
        /** {@code db.coll}, whatever database it is sent to. */
        COLLECTION,
        DATABASE,
        /** Nothing, or a shard or a parameter. */
        EVERYTHING,
        /** {@code db.coll}, a database, or nothing. */
        ANY
    }

    /** Commands that are not told apart elsewhere, in lower case: servers know several of them by two spellings. */
    private static final Map<String, Names> ADMINISTRATION = Map.ofEntries(
            Map.entry("movechunk", Names.COLLECTION),
            Map.entry("moverange", Names.COLLECTION),
            Map.entry("split", Names.COLLECTION),
            Map.entry("mergechunks", Names.COLLECTION),
            Map.entry("mergeallchunksonshard", Names.COLLECTION),
            Map.entry("movecollection", Names.COLLECTION),
            Map.entry("unshardcollection", Names.COLLECTION),
            Map.entry("commitreshardcollection", Names.COLLECTION),
            Map.entry("enablesharding", Names.DATABASE),
            Map.entry("changeprimary", Names.DATABASE),
            Map.entry("addshard", Names.EVERYTHING),
            Map.entry("removeshard", Names.EVERYTHING),
            Map.entry("startsharddraining", Names.EVERYTHING),
            Map.entry("stopsharddraining", Names.EVERYTHING),
            Map.entry("commitshardremoval", Names.EVERYTHING),
            Map.entry("transitionfromdedicatedconfigserver", Names.EVERYTHING),
            Map.entry("transitiontodedicatedconfigserver", Names.EVERYTHING),
            Map.entry("setclusterparameter", Names.EVERYTHING),
            Map.entry("setfeaturecompatibilityversion", Names.EVERYTHING));

    private PlacementChange() {}

    /**
     * What {@code command}, which is borrowed, changes: a collection; a whole database; {@link #EVERYTHING}; null if nothing.
     * What it does to a collection that is not tracked and no view, as most are, changes no metadata.
     */
    static @Nullable Namespace of(CommandView command, CatalogSnapshot catalog) {
        CommandName name = command.commandName();
        return switch (name.kind()) {
            case DDL_PRIMARY -> definition(command, name, catalog);
            case ADMINISTRATION -> {
                Names names = name == CommandName.UNKNOWN
                        ? ADMINISTRATION.get(command.name().toLowerCase(Locale.ROOT))
                        : null;
                yield names == null ? null : named(command, names);
            }
            case ROUTER_LOCAL -> name == CommandName.FLUSH_ROUTER_CONFIG ? named(command, Names.ANY) : null;
            default -> null;
        };
    }

    private static @Nullable Namespace definition(CommandView command, CommandName name, CatalogSnapshot catalog) {
        return switch (name) {
            case SHARD_COLLECTION, RESHARD_COLLECTION, REFINE_SHARD_KEY -> named(command, Names.COLLECTION);
            case MOVE_PRIMARY -> named(command, Names.DATABASE);
            case DROP_DATABASE -> new Namespace(command.database(), "");
            case CREATE -> isOfNote(command, catalog) ? command.namespace() : null;
            case DROP, COLL_MOD, CONVERT_TO_CAPPED ->
                isKnown(command.namespace(), catalog) ? command.namespace() : null;
            case RENAME_COLLECTION -> renamed(command, catalog);
            default -> null;
        };
    }

    /** A plain collection stands nowhere in the metadata; but its database does, and may be new. */
    private static boolean isOfNote(CommandView command, CatalogSnapshot catalog) {
        return command.get("viewOn") != null
                || command.get("timeseries") != null
                || catalog.primary(command.database()) < 0
                || isKnown(command.namespace(), catalog);
    }

    private static @Nullable Namespace renamed(CommandView command, CatalogSnapshot catalog) {
        Namespace from = named(command, Names.COLLECTION);
        BsonValueView target = command.get("to");
        Namespace to = target != null && target.isString() ? Namespace.parse(target.string()) : from;
        if (from == null || to == null || !(isKnown(from, catalog) || isKnown(to, catalog))) {
            return null;
        }
        return from.database().equals(to.database()) ? new Namespace(from.database(), "") : EVERYTHING;
    }

    private static boolean isKnown(Namespace namespace, CatalogSnapshot catalog) {
        return isTracked(namespace, catalog)
                || catalog.view(namespace) != null
                || isTracked(
                        new Namespace(namespace.database(), CollectionInfo.BUCKETS + namespace.collection()), catalog);
    }

    private static boolean isTracked(Namespace namespace, CatalogSnapshot catalog) {
        return catalog.table(namespace) != null || catalog.isUnknown(namespace);
    }

    private static @Nullable Namespace named(CommandView command, Names names) {
        if (names == Names.EVERYTHING) {
            return EVERYTHING;
        }
        BsonValueView first = command.firstValue();
        if (!first.isString()) {
            return names == Names.ANY ? EVERYTHING : null;
        }
        Namespace named = Namespace.parse(first.string());
        return names == Names.DATABASE ? new Namespace(named.database(), "") : named;
    }
}
