package io.scatterguard.proxy.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/** Documents of the {@code config} database in either layout, written for tests. */
final class RawCatalogs {
    static final BsonDocument SHARD_A = BsonDocument.parse("{_id: 'a', host: 'a/a1:27018', state: 1}");
    static final BsonDocument SHARD_B = BsonDocument.parse("{_id: 'b', host: 'b/b1:27018', state: 1}");

    /** Where the chunks of a collection are found: by {@code ns}, or by {@code uuid} (5.0 and later). */
    enum Layout {
        NS,
        UUID
    }

    private RawCatalogs() {}

    static RawCatalog of(List<BsonDocument> collections, List<BsonDocument> chunks) {
        return new RawCatalog(
                List.of(SHARD_A, SHARD_B),
                List.of(BsonDocument.parse("{_id: 'shop', primary: 'b', partitioned: true}")),
                collections,
                chunks);
    }

    @SafeVarargs
    static List<BsonDocument> concat(List<BsonDocument>... lists) {
        List<BsonDocument> all = new ArrayList<>();
        for (List<BsonDocument> list : lists) {
            all.addAll(list);
        }
        return all;
    }

    /** One collection in one layout; the number tells its incarnation. */
    record Collection(Layout layout, String namespace, String key, int incarnation) {
        static Collection of(Layout layout, String namespace, String key) {
            return new Collection(layout, namespace, key, 1);
        }

        Collection recreated() {
            return new Collection(layout, namespace, key, incarnation + 1);
        }

        BsonDocument document() {
            BsonDocument document = new BsonDocument("_id", new BsonString(namespace))
                    .append("lastmodEpoch", epoch())
                    .append("uuid", uuid())
                    .append("key", BsonDocument.parse(key));
            return layout == Layout.NS ? document : document.append("timestamp", new BsonTimestamp(1000, incarnation));
        }

        BsonDocument documentWith(String fields) {
            BsonDocument document = document();
            document.putAll(BsonDocument.parse(fields));
            return document;
        }

        BsonDocument chunk(String shard, int major, int minor, String min, String max) {
            BsonDocument chunk = new BsonDocument("_id", new BsonObjectId())
                    .append("min", BsonDocument.parse(min))
                    .append("max", BsonDocument.parse(max))
                    .append("shard", new BsonString(shard))
                    .append("lastmod", new BsonTimestamp(major, minor));
            return layout == Layout.NS
                    ? chunk.append("ns", new BsonString(namespace)).append("lastmodEpoch", epoch())
                    : chunk.append("uuid", uuid());
        }

        /** Chunks of a single-field key that meet at {@code splits}, on the shards a, b, a, b, …, with versions 1|0, 2|0, …. */
        List<BsonDocument> chunksSplitAt(String... splits) {
            String field = BsonDocument.parse(key).getFirstKey();
            List<BsonDocument> chunks = new ArrayList<>();
            String min = "{$minKey: 1}";
            for (int i = 0; i <= splits.length; i++) {
                String max = i < splits.length ? splits[i] : "{$maxKey: 1}";
                chunks.add(chunk(
                        i % 2 == 0 ? "a" : "b",
                        i + 1,
                        0,
                        "{'" + field + "': " + min + "}",
                        "{'" + field + "': " + max + "}"));
                min = max;
            }
            return chunks;
        }

        private BsonBinary uuid() {
            return new BsonBinary(new UUID(namespace.hashCode(), incarnation));
        }

        private BsonObjectId epoch() {
            return new BsonObjectId(new ObjectId(incarnation, namespace.hashCode() & 0xffffff));
        }
    }
}
