package io.scatterguard.proxy.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ShopDataTest {
    private static EmbeddedServer server;
    private static MongoClient client;

    @BeforeAll
    static void load() {
        server = EmbeddedServer.start(0);
        ShopData.load(server.connectionString());
        client = MongoClients.create(server.connectionString());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void loadsEveryDocumentOfTheShop() {
        MongoDatabase shop = client.getDatabase("shop");

        assertThat(shop.listCollectionNames())
                .containsExactlyInAnyOrder("customers", "orders", "products", "events", "settings");
        assertThat(shop.getCollection("customers").countDocuments()).isEqualTo(400);
        assertThat(shop.getCollection("orders").countDocuments()).isEqualTo(2_000);
        assertThat(shop.getCollection("products").countDocuments()).isEqualTo(280);
        assertThat(shop.getCollection("events").countDocuments()).isEqualTo(600);
        assertThat(shop.getCollection("settings").countDocuments()).isEqualTo(3);
    }

    @Test
    void everyDocumentOfAShardedCollectionHasItsShardKeyAndNoOtherHasTheSame() {
        for (BsonDocument collection : ShopCatalog.collections()) {
            String name = collection.getString("_id").getValue().substring("shop.".length());
            List<List<Object>> keys = new ArrayList<>();
            for (Document document : ShopData.documents().get(name)) {
                List<Object> key = collection.getDocument("key").keySet().stream()
                        .map(document::get)
                        .toList();
                assertThat(key).as(name).doesNotContainNull();
                keys.add(key);
            }
            assertThat(keys).as(name).doesNotHaveDuplicates();
        }
    }

    @Test
    void theServerGivesTheConfigDocumentsBackAsTheyWereWritten() {
        MongoDatabase config = client.getDatabase("config");

        ShopCatalog.documents()
                .forEach((name, documents) -> assertThat(
                                config.getCollection(name, BsonDocument.class).find())
                        .as("config.%s", name)
                        .containsExactlyInAnyOrderElementsOf(documents));
    }

    @Test
    void chunksAreFoundByUuidFromAVersionOnInVersionOrder() {
        BsonDocument orders = ShopCatalog.collections().get(0);

        List<BsonDocument> found = client.getDatabase("config")
                .getCollection("chunks", BsonDocument.class)
                .find(Filters.and(
                        Filters.eq("uuid", orders.getBinary("uuid")), Filters.gte("lastmod", new BsonTimestamp(3, 0))))
                .sort(new Document("lastmod", 1))
                .into(new ArrayList<>());

        assertThat(found)
                .extracting(chunk -> chunk.getTimestamp("lastmod"))
                .hasSize(6)
                .isSorted()
                .startsWith(new BsonTimestamp(3, 0));
    }

    @Test
    void loadingAgainReplacesWhatWasChanged() {
        MongoDatabase shop = client.getDatabase("shop");
        shop.getCollection("orders").deleteMany(Filters.lte("customerId", 10));
        shop.getCollection("leftover").insertOne(new Document());

        ShopData.load(server.connectionString());

        assertThat(shop.getCollection("orders").countDocuments()).isEqualTo(2_000);
        assertThat(shop.listCollectionNames()).doesNotContain("leftover");
        assertThat(client.getDatabase("config").getCollection("chunks").countDocuments())
                .isEqualTo(ShopCatalog.chunks().size());
    }
}
