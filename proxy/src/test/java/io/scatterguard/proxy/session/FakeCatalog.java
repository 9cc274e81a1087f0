package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.LiveCatalog;
import io.scatterguard.proxy.catalog.MissingTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A catalog whose loads a test ends. It is complete, and has no tracked collections but those that are not loaded. */
final class FakeCatalog implements LiveCatalog {
    static final Duration LOAD_TIMEOUT = Duration.ofSeconds(2);

    final List<List<Namespace>> asked = new ArrayList<>();
    final List<Namespace> changed = new ArrayList<>();
    private final List<CompletableFuture<Void>> loads = new ArrayList<>();
    private final Set<Namespace> missing = new LinkedHashSet<>();
    private final Set<Namespace> broken = new LinkedHashSet<>();
    boolean complete = true;

    @Nullable RuntimeException fault;

    /** Thrown by the next look at the snapshot. */
    @Nullable RuntimeException snapshotFault;

    CatalogSnapshot snapshot = snapshot();

    /** These are not loaded. */
    FakeCatalog without(String... namespaces) {
        for (String namespace : namespaces) {
            missing.add(Namespace.parse(namespace));
        }
        snapshot = snapshot();
        return this;
    }

    /** These are tracked, and their metadata cannot be understood. */
    FakeCatalog withBroken(String... namespaces) {
        for (String namespace : namespaces) {
            broken.add(Namespace.parse(namespace));
        }
        snapshot = snapshot();
        return this;
    }

    private CatalogSnapshot snapshot() {
        return MissingTables.snapshot(complete, missing, broken);
    }

    /** Before the first load. */
    void incomplete() {
        complete = false;
        snapshot = snapshot();
    }

    /** Publishes everything that was missing, and ends every load. */
    void publish() {
        missing.clear();
        snapshot = snapshot();
        endLoads();
    }

    /** What was missing cannot be understood; ends every load. */
    void publishDamage() {
        broken.addAll(missing);
        publish();
    }

    /** Ends one load, counted from the first that has not ended. */
    void endLoad(int index) {
        loads.remove(index).complete(null);
    }

    /** Ends every load: what was asked for cannot be had. */
    void endLoads() {
        List<CompletableFuture<Void>> all = List.copyOf(loads);
        loads.clear();
        all.forEach(load -> load.complete(null));
    }

    /** Ends every load as no catalog should. */
    void failLoads() {
        List<CompletableFuture<Void>> all = List.copyOf(loads);
        loads.clear();
        all.forEach(load -> load.completeExceptionally(new IllegalStateException("broken")));
    }

    @Override
    public CatalogSnapshot current() {
        RuntimeException planted = snapshotFault;
        snapshotFault = null;
        if (planted != null) {
            throw planted;
        }
        return snapshot;
    }

    @Override
    public CompletableFuture<Void> load(List<Namespace> namespaces) {
        asked.add(namespaces);
        if (fault != null) {
            throw fault;
        }
        CompletableFuture<Void> load = new CompletableFuture<>();
        loads.add(load);
        return load;
    }

    @Override
    public void changed(Namespace namespace) {
        changed.add(namespace);
    }
}
