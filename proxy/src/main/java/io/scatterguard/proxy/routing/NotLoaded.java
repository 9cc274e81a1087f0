package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import java.util.ArrayList;
import java.util.List;

/** Tells which metadata a command's route needs that a snapshot does not hold yet. A pure function, as routing is. */
public final class NotLoaded {
    /** Of the namespaces of a {@code bulkWrite} so many are looked at; a client must not make us load as it likes. */
    static final int MAX_NAMESPACES = 100;

    private NotLoaded() {}

    /**
     * What {@link CatalogSnapshot#notLoaded} says of the namespaces that {@code command}, which is borrowed, is about; of a
     * pipeline the one that it begins with. Empty for commands that are not routed, and where nothing is missing.
     */
    public static List<Namespace> of(CommandView command, CatalogSnapshot catalog) {
        return switch (command.commandName().kind()) {
            case READ, WRITE -> data(command, catalog);
            case DDL_PRIMARY, LOWEST_CHUNK, OWNING_SHARDS -> named(command, catalog);
            case ALL_SHARDS,
                    CURSOR,
                    HANDSHAKE,
                    AUTHENTICATION,
                    USER_MANAGEMENT,
                    SESSION,
                    ROUTER_LOCAL,
                    ADMINISTRATION -> List.of();
        };
    }

    private static List<Namespace> data(CommandView command, CatalogSnapshot catalog) {
        CommandName name = command.commandName();
        if (name == CommandName.BULK_WRITE) {
            return bulkWrite(command, catalog);
        } else if (name == CommandName.EXPLAIN) {
            CommandView inner = command.explained().orElse(null);
            return inner == null || inner.commandName() == CommandName.EXPLAIN ? List.of() : of(inner, catalog);
        }
        return named(command, catalog);
    }

    private static List<Namespace> named(CommandView command, CatalogSnapshot catalog) {
        Namespace namespace = IntrinsicRouting.namespace(command);
        return namespace.collection().isEmpty() ? List.of() : catalog.notLoaded(namespace);
    }

    private static List<Namespace> bulkWrite(CommandView command, CatalogSnapshot catalog) {
        List<Namespace> missing = new ArrayList<>(0);
        List<BsonView> entries = Batch.isTooLarge(command, "nsInfo") ? List.of() : command.statements("nsInfo");
        for (int i = 0; i < Math.min(entries.size(), MAX_NAMESPACES); i++) {
            add(entries.get(i), catalog, missing);
        }
        return missing;
    }

    private static void add(BsonView entry, CatalogSnapshot catalog, List<Namespace> missing) {
        BsonValueView name = entry.get("ns");
        if (name == null || !name.isString()) {
            return;
        }
        for (Namespace namespace : catalog.notLoaded(Namespace.parse(name.string()))) {
            if (!missing.contains(namespace)) {
                missing.add(namespace);
            }
        }
    }
}
