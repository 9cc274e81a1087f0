package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Which tracked collection a command on a namespace is judged by, and the marks of their use: the only thing about a
 * snapshot that changes. Where a command names what is neither tracked nor a view of such, its database is marked alone.
 * Thread-safe; never blocks, and allocates only when something is missing.
 */
public final class CatalogUses {
    /** Of a snapshot in which everything is there. */
    static final CatalogUses NONE = new CatalogUses(Map.of(), Map.of(), new AtomicBoolean());

    private final Map<Namespace, TableUse> tables;
    private final Map<String, DatabaseUse> databases;
    /** Set while the source fails: asking would only make commands wait. */
    private final AtomicBoolean failing;

    private CatalogUses(Map<Namespace, TableUse> tables, Map<String, DatabaseUse> databases, AtomicBoolean failing) {
        this.tables = tables;
        this.databases = databases;
        this.failing = failing;
    }

    /**
     * @param tracked of all tracked collections
     * @param failing true while nothing is to be asked for
     */
    static CatalogUses of(
            Collection<TableUse> tracked,
            Collection<ResolvedView> views,
            Map<String, DatabaseUse> databases,
            AtomicBoolean failing) {
        Map<Namespace, TableUse> tables = new HashMap<>(tracked.size() * 2);
        tracked.forEach(use -> tables.put(use.namespace(), use));
        for (TableUse use : tracked) {
            String name = use.namespace().collection();
            if (name.startsWith(CollectionInfo.BUCKETS)) {
                String user = name.substring(CollectionInfo.BUCKETS.length());
                tables.putIfAbsent(new Namespace(use.namespace().database(), user), use);
            }
        }
        for (ResolvedView view : views) {
            TableUse use = tables.get(view.underlying());
            if (use != null) {
                tables.putIfAbsent(view.namespace(), use);
            }
        }
        return new CatalogUses(tables, Map.copyOf(databases), failing);
    }

    /** What a command on {@code namespace} is judged by, marked as in use; null if that is no tracked collection. */
    @Nullable TableUse mark(Namespace namespace) {
        TableUse table = tables.get(namespace);
        if (table != null) {
            table.mark();
        }
        DatabaseUse database = databases.get(namespace.database());
        if (database != null) {
            database.mark();
        }
        return table;
    }

    /** Marks as {@link #mark} does, and gives what must be asked for before a command is judged. */
    List<Namespace> missing(Namespace namespace) {
        TableUse table = mark(namespace);
        return table == null || !table.isDue() || failing.get() ? List.of() : List.of(table.namespace());
    }

    /** When the chunks were last confirmed, in milliseconds since 1970; 0 where they were not, or there is no table. */
    long lookedAtMillis(Namespace namespace) {
        TableUse table = tables.get(namespace);
        return table == null ? 0 : table.lookedAtMillis();
    }
}
