package io.scatterguard.proxy.admin;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.CollectionInfo;
import io.scatterguard.proxy.catalog.RoutingTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/collections}: the sharded collections that are known, a page at a time. */
public final class CollectionsEndpoint implements Endpoint {
    static final int DEFAULT_LIMIT = 1_000;
    static final int MAX_LIMIT = 10_000;

    /**
     * One collection.
     *
     * @param loaded whether its chunks are known
     * @param chunks how many chunks; null where that is not known
     * @param shards which own any; null where that is not known
     */
    private record Collection(
            String namespace,
            String shardKey,
            boolean declared,
            boolean loaded,
            @Nullable Integer chunks,
            @Nullable List<String> shards) {}

    private record Page(
            boolean complete,
            int total,
            List<Collection> collections,
            @Nullable String next) {}

    private final Supplier<CatalogSnapshot> catalog;

    public CollectionsEndpoint(Supplier<CatalogSnapshot> catalog) {
        this.catalog = catalog;
    }

    @Override
    public String path() {
        return "/api/v1/collections";
    }

    @Override
    public Answer answer(Question question) throws BadQuestionException {
        int limit = question.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        String after = question.parameter("after");
        CatalogSnapshot snapshot = catalog.get();
        TreeMap<String, CollectionInfo> all = new TreeMap<>();
        known(snapshot).forEach((namespace, info) -> all.put(namespace.fullName(), info));
        List<Collection> page = (after == null ? all : all.tailMap(after, false))
                .values().stream()
                        .limit(limit)
                        .map(info -> collection(info, snapshot))
                        .toList();
        String last = page.isEmpty() ? null : page.get(page.size() - 1).namespace();
        String next = last != null && all.higherKey(last) != null ? last : null;
        return Answer.json(new Page(snapshot.complete(), all.size(), page, next));
    }

    private static Map<Namespace, CollectionInfo> known(CatalogSnapshot snapshot) {
        Map<Namespace, CollectionInfo> known = new HashMap<>(snapshot.tracked());
        snapshot.tables().forEach((namespace, table) -> known.put(namespace, table.collection()));
        known.values().removeIf(CollectionInfo::unsplittable);
        return known;
    }

    private static Collection collection(CollectionInfo info, CatalogSnapshot snapshot) {
        RoutingTable table = snapshot.table(info.namespace());
        boolean placed = table != null && table.isPlaced() && table.boundsKnown();
        return new Collection(
                info.namespace().fullName(),
                info.shardKey().toString(),
                info.declared(),
                table != null,
                table != null && placed ? table.chunkCount() : null,
                table != null && placed ? snapshot.registry().names(table.owningShards()) : null);
    }
}
