package io.scatterguard.proxy.catalog;

import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.time.Clock;
import org.bson.BsonDocument;

/**
 * A catalog of keys, for tests elsewhere: {@code shop.orders}, {@code shop.other} and {@code shop.refused} by {@code a}, and
 * {@code shop.moved}, which is unsplittable.
 */
public final class KeysOnlyCatalog {
    private KeysOnlyCatalog() {}

    /** Its shards are {@code shard-a} and {@code shard-b}. */
    public static CatalogSnapshot snapshot() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        Collection other = Collection.of(Layout.UUID, "shop.other", "{a: 1}");
        Collection refused = Collection.of(Layout.UUID, "shop.refused", "{a: 1}");
        Collection moved = Collection.of(Layout.UUID, "shop.moved", "{_id: 1}");
        FakeCatalogSource source = new FakeCatalogSource()
                .with(orders, orders.chunksSplitAt("1"))
                .with(other, other.chunksSplitAt())
                .with(refused, refused.chunksSplitAt("1"))
                .with(moved.documentWith("{unsplittable: true}"), moved.chunksSplitAt());
        source.shards.clear();
        source.shards.add(BsonDocument.parse("{_id: 'shard-a'}"));
        source.shards.add(BsonDocument.parse("{_id: 'shard-b'}"));
        source.databases.set(0, BsonDocument.parse("{_id: 'shop', primary: 'shard-b'}"));
        return new CatalogLoader(source, Clock.systemUTC(), true, LoadDemand.unmet())
                .load()
                .snapshot();
    }
}
