package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import java.util.Map;

/**
 * A catalog of which the chunks were not read, but which shards own any.
 *
 * @param catalog without chunks
 * @param owners of each tracked collection whose chunks can be found, the ids of the shards that own some of them; ascending
 */
public record OwnedCatalog(RawCatalog catalog, Map<Namespace, List<String>> owners) {
    public OwnedCatalog {
        owners = Map.copyOf(owners);
    }
}
