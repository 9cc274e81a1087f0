package io.scatterguard.tests.bench;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonMaxKey;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/**
 * The collection that is routed on: {@code shop.orders} by {@code {region: 1, customer: 1, order: 1}} in many chunks on 12 shards. Every customer of every region has as many chunks, and keys are drawn from all of them alike.
 */
final class Orders {
    /** As many as the bounds are about. */
    static final int CHUNKS = 1_000_000;

    private static final int REGIONS = 16;
    private static final int CHUNKS_OF_CUSTOMER = 5;
    private static final int SHARDS = 12;
    private static final byte[] UUID = new byte[16];

    private final Random random = new Random(20261207);
    private final int customers;

    /** @param chunks a multiple of 80 */
    Orders(int chunks) {
        this.customers = chunks / REGIONS / CHUNKS_OF_CUSTOMER;
    }

    private int chunks() {
        return customers * REGIONS * CHUNKS_OF_CUSTOMER;
    }

    /** Distinct keys from all over the key space, in random order; the same ones for the same {@code count}. */
    List<OrderKey> keys(int count) {
        Set<OrderKey> keys = new HashSet<>();
        List<OrderKey> inOrder = new ArrayList<>(count);
        while (inOrder.size() < count) {
            OrderKey key =
                    new OrderKey(region(random.nextInt(REGIONS)), random.nextInt(customers), order(random.nextInt()));
            if (keys.add(key)) {
                inOrder.add(key);
            }
        }
        return inOrder;
    }

    /** Distinct customers, as many as there are of {@code count}, beginning with {@code first}. */
    IntStream customers(int first, int count) {
        int apart = customers / count;
        return IntStream.range(0, count).map(i -> (first + i * apart) % customers);
    }

    /** The metadata, as the proxy would have read it from a cluster. */
    CatalogSnapshot catalog() {
        List<BsonDocument> shards = IntStream.range(0, SHARDS)
                .mapToObj(i -> new BsonDocument("_id", new BsonString(shard(i))))
                .toList();
        BsonDocument database =
                new BsonDocument("_id", new BsonString("shop")).append("primary", new BsonString(shard(0)));
        BsonDocument collection = new BsonDocument("_id", new BsonString("shop.orders"))
                .append("lastmodEpoch", new BsonObjectId(new ObjectId("000000000000000000000001")))
                .append("timestamp", new BsonTimestamp(1, 1))
                .append("uuid", uuid())
                .append("key", BsonDocument.parse("{region: 1, customer: 1, order: 1}"));
        List<BsonDocument> bounds = bounds();
        List<BsonDocument> chunks = new ArrayList<>(chunks());
        for (int i = 0; i < chunks(); i++) {
            chunks.add(new BsonDocument("uuid", uuid())
                    .append("min", bounds.get(i))
                    .append("max", bounds.get(i + 1))
                    .append("shard", new BsonString(shard(owner(i))))
                    .append("lastmod", new BsonTimestamp(1, i)));
        }
        RawCatalog raw = new RawCatalog(shards, List.of(database), List.of(collection), chunks);
        return CatalogBuilder.build(raw, ShardRegistry.empty(), Instant.EPOCH);
    }

    /** The lower ends of the chunks with their owners, by the same key bytes as in a routing table. */
    NavigableMap<byte[], Integer> tree() {
        NavigableMap<byte[], Integer> tree = new TreeMap<>(KeyBytes::compare);
        List<BsonDocument> bounds = bounds();
        for (int i = 0; i < chunks(); i++) {
            tree.put(KeyBytes.ofValues(BsonView.encode(bounds.get(i))), owner(i));
        }
        return tree;
    }

    /** The ends of the chunks, ascending: one more than there are chunks. */
    private List<BsonDocument> bounds() {
        List<BsonDocument> bounds = new ArrayList<>(chunks() + 1);
        for (int region = 0; region < REGIONS; region++) {
            for (int customer = 0; customer < customers; customer++) {
                for (int i = 0; i < CHUNKS_OF_CUSTOMER; i++) {
                    int first = (int) ((1L << 32) / CHUNKS_OF_CUSTOMER * i);
                    bounds.add(new OrderKey(region(region), customer, order(first)).document());
                }
            }
        }
        bounds.set(0, BsonDocument.parse("{region: {$minKey: 1}, customer: {$minKey: 1}, order: {$minKey: 1}}"));
        bounds.add(new BsonDocument("region", new BsonMaxKey())
                .append("customer", new BsonMaxKey())
                .append("order", new BsonMaxKey()));
        return bounds;
    }

    private static String region(int index) {
        return "region-" + (char) ('a' + index);
    }

    /** An ObjectId whose first four bytes are given; the rest follows from them. */
    private static ObjectId order(int first) {
        return new ObjectId(first, (first * 0x9e3779b9) >>> 8);
    }

    private static int owner(int chunk) {
        return Integer.remainderUnsigned((chunk * 0x9e3779b9) >>> 7, SHARDS);
    }

    private static String shard(int index) {
        return "shard" + index;
    }

    private static BsonBinary uuid() {
        return new BsonBinary((byte) 4, UUID);
    }
}
