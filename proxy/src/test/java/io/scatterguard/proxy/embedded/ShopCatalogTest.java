package io.scatterguard.proxy.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

class ShopCatalogTest {
    @Test
    void everyShardedCollectionTilesItsKeySpaceOverTheThreeShards() {
        assertThat(ShopCatalog.collections())
                .extracting(collection -> collection.getString("_id").getValue())
                .containsExactly("shop.orders", "shop.customers", "shop.products", "shop.events");
        for (BsonDocument collection : ShopCatalog.collections()) {
            assertTiles(collection, chunksOf(collection));
        }
    }

    private static void assertTiles(BsonDocument collection, List<BsonDocument> chunks) {
        String namespace = collection.getString("_id").getValue();
        Set<String> fields = collection.getDocument("key").keySet();
        assertThat(chunks).as(namespace).hasSizeGreaterThanOrEqualTo(6);
        assertThat(chunks.get(0).getDocument("min").values())
                .allMatch(value -> value.getBsonType() == BsonType.MIN_KEY);
        assertThat(chunks.get(chunks.size() - 1).getDocument("max").values())
                .allMatch(value -> value.getBsonType() == BsonType.MAX_KEY);
        for (int i = 0; i < chunks.size(); i++) {
            BsonDocument chunk = chunks.get(i);
            assertThat(chunk.getDocument("min").keySet()).containsExactlyElementsOf(fields);
            assertThat(KeyBytes.compare(keyBytes(chunk.get("min")), keyBytes(chunk.get("max"))))
                    .as("%s chunk %d: min before max", namespace, i)
                    .isNegative();
            if (i > 0) {
                assertThat(chunk.get("min")).isEqualTo(chunks.get(i - 1).get("max"));
            }
        }
        assertThat(chunks.stream().map(c -> c.getString("shard").getValue()).collect(Collectors.toSet()))
                .as(namespace)
                .isEqualTo(Set.of("shard-a", "shard-b", "shard-c"));
    }

    @Test
    void chunkIdsAreUniqueAndVersionsUniqueWithinACollection() {
        assertThat(ShopCatalog.chunks()).extracting(chunk -> chunk.get("_id")).doesNotHaveDuplicates();
        for (BsonDocument collection : ShopCatalog.collections()) {
            assertThat(chunksOf(collection))
                    .extracting(chunk -> chunk.getTimestamp("lastmod"))
                    .doesNotHaveDuplicates()
                    .allMatch(version -> version.getTime() >= 1);
        }
    }

    @Test
    void aChunkHoldsTheFieldsOfASixZeroClusterAndNoOthers() {
        assertThat(ShopCatalog.chunks()).allSatisfy(chunk -> {
            assertThat(chunk.keySet()).containsExactly("_id", "uuid", "min", "max", "shard", "lastmod", "history");
            BsonDocument newest = chunk.getArray("history").get(0).asDocument();
            assertThat(newest.get("shard")).isEqualTo(chunk.get("shard"));
        });
    }

    @Test
    void hashedChunksAreThoseTheServerChoosesForThreeShards() {
        BsonDocument customers = ShopCatalog.collections().get(1);

        assertThat(customers.getDocument("key")).isEqualTo(BsonDocument.parse("{_id: 'hashed'}"));
        assertThat(chunksOf(customers).subList(1, 6))
                .extracting(chunk -> chunk.getDocument("min").getInt64("_id").getValue())
                .containsExactly(
                        -6148914691236517204L, -3074457345618258602L, 0L, 3074457345618258602L, 6148914691236517204L);
    }

    @Test
    void everyReferenceLeadsToAShard() {
        Set<BsonValue> shards =
                ShopCatalog.shards().stream().map(shard -> shard.get("_id")).collect(Collectors.toSet());

        assertThat(ShopCatalog.chunks()).extracting(chunk -> chunk.get("shard")).allMatch(shards::contains);
        assertThat(ShopCatalog.databases())
                .singleElement()
                .satisfies(
                        shop -> assertThat(shop.getString("primary").getValue()).isEqualTo("shard-a"));
    }

    @Test
    void collectionsAreKeyedByUuidWithATimestamp() {
        assertThat(ShopCatalog.collections()).allSatisfy(collection -> {
            assertThat(collection.getTimestamp("timestamp").getTime()).isPositive();
            BsonBinary uuid = collection.getBinary("uuid");
            assertThat(uuid.getType()).isEqualTo((byte) 4);
        });
        assertThat(ShopCatalog.version().get("clusterId").isObjectId()).isTrue();
    }

    private static List<BsonDocument> chunksOf(BsonDocument collection) {
        return ShopCatalog.chunks().stream()
                .filter(chunk -> chunk.get("uuid").equals(collection.get("uuid")))
                .toList();
    }

    private static byte[] keyBytes(BsonValue bound) {
        return KeyBytes.ofValues(BsonView.encode(bound.asDocument()));
    }
}
