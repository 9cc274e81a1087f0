package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tracked collection a command on a namespace is judged by, and the marks of their use: the only thing about a
 * snapshot that changes. Where a command names what is neither tracked nor a view of such, its database is marked alone.
 * Thread-safe; never blocks, and allocates only when something is missing.
 */
public final class CatalogUses {
    /** Of a snapshot in which everything is there. */
    static final CatalogUses NONE = new CatalogUses(Map.of(), Map.of(), LoadDemand.unmet());

    private final Map<Namespace, TableUse> tables;
    private final Map<String, DatabaseUse> databases;
    private final LoadDemand demand;

    private CatalogUses(Map<Namespace, TableUse> tables, Map<String, DatabaseUse> databases, LoadDemand demand) {
        this.tables = tables;
        this.databases = databases;
        this.demand = demand;
    }

    /**
     * @param tracked of all tracked collections
     * @param demand what is missing is asked for by
     */
    static CatalogUses of(
            Collection<TableUse> tracked,
            Collection<ResolvedView> views,
            Map<String, DatabaseUse> databases,
            LoadDemand demand) {
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
        return new CatalogUses(tables, Map.copyOf(databases), demand);
    }

    /**
     * The same where some collections are declared: of those nothing is asked.
     *
     * @param declared collections and views of which the cluster's own word does not count
     * @param views those that are declared
     */
    CatalogUses overlaid(Set<Namespace> declared, Collection<ResolvedView> views) {
        Map<Namespace, TableUse> over = new HashMap<>(tables);
        over.keySet().removeAll(declared);
        over.values().removeIf(use -> declared.contains(use.namespace()));
        for (ResolvedView view : views) {
            TableUse use = tables.get(view.underlying());
            if (use != null && !declared.contains(use.namespace())) {
                over.put(view.namespace(), use);
            }
        }
        return new CatalogUses(over, databases, demand);
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
        return table == null || !table.isDue() || demand.isFailing() ? List.of() : List.of(table.namespace());
    }

    /** Marks as {@link #mark} does, and asks for what is missing, which nobody waits for. */
    void want(Namespace namespace) {
        TableUse table = mark(namespace);
        if (table != null && table.isDue()) {
            demand.ask(table.namespace());
        }
    }

    /** When the chunks were last confirmed, in milliseconds since 1970; 0 where they were not, or there is no table. */
    long lookedAtMillis(Namespace namespace) {
        TableUse table = tables.get(namespace);
        return table == null ? 0 : table.lookedAtMillis();
    }
}
