package io.scatterguard.proxy.catalog;

import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What the documents of a catalog show of the release that wrote them, by fields that only some releases have (targeting
 * semantics §2.1, §2.2).
 */
final class DumpRelease {
    private DumpRelease() {}

    /** The newest release that has all of the fields, for instance {@code 6.3}; null where no field tells one. */
    static @Nullable String of(RawCatalog catalog) {
        if (holds(catalog.chunks(), "ns") && !holds(catalog.collections(), "timestamp")) {
            return "4.4";
        }
        boolean six = holds(catalog.collections(), "noAutoSplit")
                || holds(catalog.collections(), "chunksAlreadySplitForDowngrade");
        if (!six) {
            return null;
        }
        return holds(catalog.chunks(), "onCurrentShardSince") ? "6.3" : "6.0";
    }

    private static boolean holds(List<BsonDocument> documents, String field) {
        return documents.stream().anyMatch(document -> document.containsKey(field));
    }
}
