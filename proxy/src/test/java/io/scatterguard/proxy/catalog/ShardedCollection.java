package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.Namespace;
import org.bson.BsonDocument;

/** A routing table of one chunk on the first shard, for tests that only need a shard key. */
public final class ShardedCollection {
    private ShardedCollection() {}

    public static RoutingTable of(String namespace, String keyPattern) {
        ShardKey key = ShardKey.of(BsonDocument.parse(keyPattern));
        KeyBytes min = new KeyBytes();
        key.fields().forEach(field -> min.append(BsonValueView.MIN_KEY));
        CollectionInfo info = new CollectionInfo(Namespace.parse(namespace), key, null, false, false, null);
        PageWriter pages = new PageWriter(ChunkPages.PAGE_CHUNKS);
        pages.add(min.toByteArray(), 0, ChunkHistory.NONE);
        return new RoutingTable(info, new ChunkVersion(7, 3), pages.build());
    }
}
