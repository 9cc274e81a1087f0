package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Snapshots for tests elsewhere, of a database {@code shop} whose tracked collections are not there. */
public final class MissingTables {
    private MissingTables() {}

    /**
     * @param missing are loaded when somebody asks for them
     * @param broken could not be understood
     */
    public static CatalogSnapshot snapshot(boolean complete, Set<Namespace> missing, Set<Namespace> broken) {
        Set<Namespace> unknown = new HashSet<>(missing);
        unknown.addAll(broken);
        return new CatalogSnapshot(
                Instant.EPOCH,
                complete,
                ShardRegistry.empty(),
                Map.of("shop", 0),
                Map.of(),
                unknown,
                Map.of(),
                ClusterParameters.DEFAULT,
                Map.of(),
                CatalogUses.of(missing.stream().map(TableUse::new).toList(), List.of(), Map.of(), LoadDemand.unmet()));
    }
}
