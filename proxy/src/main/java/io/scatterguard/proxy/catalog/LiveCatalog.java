package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The catalog of a running proxy, as its sessions use it. Thread-safe; nothing in it blocks. */
public interface LiveCatalog {
    /** The newest snapshot. */
    CatalogSnapshot current();

    /**
     * Reads what is missing of {@code namespaces}, see {@link CatalogSnapshot#notLoaded}; requests for the same share one
     * reading.
     *
     * @return completes once it is published or cannot be had, never exceptionally, on any thread; not later than the source
     *     takes, so that who waits sets a limit of his own
     */
    CompletableFuture<Void> load(List<Namespace> namespaces);

    /**
     * Something that passed through says that metadata has changed: it is read again soon, together with what else is told
     * within a moment.
     *
     * @param namespace a collection; without a collection's name the whole database; with neither name everything
     */
    void changed(Namespace namespace);
}
