package io.scatterguard.proxy.embedded;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * The {@code config} database of the demo shop: the documents that a MongoDB 6.0 cluster of three shards would hold
 * there, the same in every run. {@code shop.orders} is sharded by {@code {customerId: 1, orderId: 1}},
 * {@code shop.customers} by {@code {_id: "hashed"}}, {@code shop.products} by {@code {sku: 1}} and {@code shop.events}
 * by {@code {ts: 1}}; {@code shop.settings} is not sharded and so has no document here.
 */
public final class ShopCatalog {
    /** The database of the shop; its primary is {@link #PRIMARY}. */
    public static final String DATABASE = "shop";

    /** The shard that holds what is not sharded. */
    public static final String PRIMARY = "shard-a";

    private static final String A = PRIMARY;
    private static final String B = "shard-b";
    private static final String C = "shard-c";

    /** When the shop was sharded. */
    private static final int SHARDED_AT =
            (int) Instant.parse("2026-04-01T08:00:00Z").getEpochSecond();

    private ShopCatalog() {}

    /** Every document, by the name of its collection in the {@code config} database. */
    public static Map<String, List<BsonDocument>> documents() {
        Map<String, List<BsonDocument>> byCollection = new LinkedHashMap<>();
        byCollection.put("version", List.of(version()));
        byCollection.put("shards", shards());
        byCollection.put("databases", databases());
        byCollection.put("collections", collections());
        byCollection.put("chunks", chunks());
        return byCollection;
    }

    /** {@code config.version}: one document, which names the cluster. */
    public static BsonDocument version() {
        return new BsonDocument("_id", new BsonInt32(1))
                .append("minCompatibleVersion", new BsonInt32(5))
                .append("currentVersion", new BsonInt32(6))
                .append("clusterId", new BsonObjectId(new ObjectId("6620e4f05a7c3d1e8b904a11")));
    }

    /** {@code config.shards}: the three shards, each a replica set of three. */
    public static List<BsonDocument> shards() {
        List<BsonDocument> shards = new ArrayList<>();
        for (String id : List.of(A, B, C)) {
            String host =
                    String.format("%1$s/%1$s-1.shop.test:27018,%1$s-2.shop.test:27018,%1$s-3.shop.test:27018", id);
            shards.add(new BsonDocument("_id", new BsonString(id))
                    .append("host", new BsonString(host))
                    .append("state", new BsonInt32(1))
                    .append("topologyTime", new BsonTimestamp(SHARDED_AT - 600, 1 + shards.size())));
        }
        return List.copyOf(shards);
    }

    /** {@code config.databases}: the shop. */
    public static List<BsonDocument> databases() {
        BsonDocument version = new BsonDocument("uuid", new BsonBinary(uuid(DATABASE)))
                .append("timestamp", new BsonTimestamp(SHARDED_AT - 300, 1))
                .append("lastMod", new BsonInt32(1));
        return List.of(new BsonDocument("_id", new BsonString(DATABASE))
                .append("primary", new BsonString(PRIMARY))
                .append("partitioned", BsonBoolean.FALSE)
                .append("version", version));
    }

    /** {@code config.collections}: the sharded collections. */
    public static List<BsonDocument> collections() {
        List<BsonDocument> collections = new ArrayList<>();
        layouts().forEach((name, layout) -> {
            String namespace = namespace(name);
            BsonTimestamp timestamp = timestamp(collections.size());
            collections.add(new BsonDocument("_id", new BsonString(namespace))
                    .append(
                            "lastmodEpoch",
                            new BsonObjectId(FixedIds.of(timestamp.getTime(), 0xe0c0 + collections.size())))
                    .append("lastmod", new BsonDateTime(timestamp.getTime() * 1000L))
                    .append("timestamp", timestamp)
                    .append("uuid", new BsonBinary(uuid(namespace)))
                    .append("key", layout.key())
                    .append("unique", BsonBoolean.valueOf(name.equals("orders")))
                    .append("noBalance", BsonBoolean.FALSE));
        });
        return List.copyOf(collections);
    }

    /** {@code config.chunks}: the chunks of every sharded collection, each collection in key order. */
    public static List<BsonDocument> chunks() {
        List<BsonDocument> chunks = new ArrayList<>();
        int ordinal = 0;
        for (Map.Entry<String, ChunkLayout> entry : layouts().entrySet()) {
            chunks.addAll(entry.getValue().documents(uuid(namespace(entry.getKey())), timestamp(ordinal++)));
        }
        return List.copyOf(chunks);
    }

    private static Map<String, ChunkLayout> layouts() {
        Map<String, ChunkLayout> layouts = new LinkedHashMap<>();
        layouts.put("orders", orders());
        layouts.put("customers", customers());
        layouts.put("products", products());
        layouts.put("events", events());
        return layouts;
    }

    /** Some bounds lie within a customer, so that one customer's orders can be on two shards. */
    private static ChunkLayout orders() {
        List<BsonDocument> splits = new ArrayList<>();
        for (int[] at : new int[][] {
            {45, 45_001},
            {90, 90_003},
            {135, 135_001},
            {180, 180_004},
            {225, 225_001},
            {270, 270_002},
            {315, 315_001},
            {360, 360_005}
        }) {
            splits.add(new BsonDocument("customerId", new BsonInt32(at[0])).append("orderId", new BsonInt32(at[1])));
        }
        BsonDocument key = new BsonDocument("customerId", new BsonInt32(1)).append("orderId", new BsonInt32(1));
        return new ChunkLayout(key, splits, List.of(A, B, C, A, B, C, A, B, C), false);
    }

    private static ChunkLayout customers() {
        List<BsonDocument> splits = ChunkLayout.hashedSplitPoints(6).stream()
                .map(hash -> new BsonDocument("_id", new BsonInt64(hash)))
                .toList();
        BsonDocument key = new BsonDocument("_id", new BsonString("hashed"));
        return new ChunkLayout(key, splits, List.of(A, A, B, B, C, C), true);
    }

    private static ChunkLayout products() {
        List<BsonValue> skus = new ArrayList<>();
        for (String sku : List.of("BIKE-0001", "BOOK-0001", "GAME-0031", "LAMP-0001", "SHOE-0021", "TOOL-0001")) {
            skus.add(new BsonString(sku));
        }
        return ranged("sku", skus, List.of(A, C, B, A, B, C, A));
    }

    private static ChunkLayout events() {
        List<BsonValue> months = new ArrayList<>();
        for (int month = 5; month <= 10; month++) {
            String start = String.format("2026-%02d-01T00:00:00Z", month);
            months.add(new BsonDateTime(Instant.parse(start).toEpochMilli()));
        }
        return ranged("ts", months, List.of(A, B, C, A, B, C, C));
    }

    private static ChunkLayout ranged(String field, List<BsonValue> splitValues, List<String> owners) {
        List<BsonDocument> splits = splitValues.stream()
                .map(value -> new BsonDocument(field, value))
                .toList();
        return new ChunkLayout(new BsonDocument(field, new BsonInt32(1)), splits, owners, false);
    }

    private static String namespace(String collection) {
        return DATABASE + "." + collection;
    }

    private static BsonTimestamp timestamp(int ordinal) {
        return new BsonTimestamp(SHARDED_AT + 60 * ordinal, 3);
    }

    private static UUID uuid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }
}
