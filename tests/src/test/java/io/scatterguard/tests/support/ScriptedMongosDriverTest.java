package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.connection.ClusterType;
import io.scatterguard.proxy.catalog.MongoCatalogSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** The Java driver takes the scripted server for a mongos. */
class ScriptedMongosDriverTest {
    @Test
    void theDriverConnectsAndFinds() {
        try (ScriptedMongos mongos = ScriptedMongos.start()
                        .withTopologyVersion()
                        .always("find", Reply.cursor("shop.orders", 0, List.of(BsonDocument.parse("{_id: 1, a: 2}"))));
                MongoClient client = MongoClients.create(mongos.uri())) {
            Document found =
                    client.getDatabase("shop").getCollection("orders").find().first();
            assertThat(found).containsEntry("a", 2);
            assertThat(client.getClusterDescription().getType()).isEqualTo(ClusterType.SHARDED);
        }
    }

    @Test
    void theDriverReadsTheCatalogInBatches() {
        List<BsonDocument> chunks = IntStream.range(0, 250)
                .mapToObj(i -> BsonDocument.parse("{_id: " + i + ", ns: \"shop.orders\"}")
                        .append("lastmod", new BsonTimestamp(1, 250 - i)))
                .toList();
        CatalogDocuments catalog = new CatalogDocuments(
                List.of(BsonDocument.parse("{_id: \"s1\"}")),
                List.of(),
                List.of(BsonDocument.parse("{_id: \"shop.orders\"}")),
                chunks,
                List.of());
        try (ScriptedMongos mongos = ScriptedMongos.start().withCatalog(catalog);
                MongoClient client = MongoClients.create(mongos.uri())) {
            MongoCollection<Document> collection = client.getDatabase("config").getCollection("chunks");
            List<Document> found = collection
                    .find(Filters.and(Filters.eq("ns", "shop.orders"), Filters.gte("lastmod", new BsonTimestamp(1, 3))))
                    .sort(Sorts.ascending("lastmod"))
                    .batchSize(100)
                    .into(new ArrayList<>());
            assertThat(found).hasSize(248).first().extracting("_id").isEqualTo(247);
            assertThat(collection.aggregate(List.of(new Document("$match", new Document("ns", "other")))))
                    .isEmpty();
            assertThat(client.getDatabase("config").getCollection("settings").find())
                    .isEmpty();
            assertThat(mongos.requests("find"))
                    .as("reads of config are not counted")
                    .isEmpty();
        }
    }

    @Test
    void theCatalogsReaderListsTheViewsOfADatabase() {
        BsonDocument view = BsonDocument.parse("{_id: 'shop.v', viewOn: 'orders', pipeline: [{$match: {a: 1}}]}");
        CatalogDocuments catalog = new CatalogDocuments(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(view, BsonDocument.parse("{_id: 'shopping.v', viewOn: 'x', pipeline: []}")));
        try (ScriptedMongos mongos = ScriptedMongos.start().withCatalog(catalog);
                MongoCatalogSource source = MongoCatalogSource.open(mongos.uri())) {
            assertThat(source.shards()).isEmpty();
            assertThat(source.readsViews()).isTrue();
            assertThat(source.views("shop")).containsExactly(view);
            assertThat(mongos.requests("listCollections"))
                    .as("reads of metadata are not counted")
                    .isEmpty();
        }
    }

    @Test
    void configServersHoldNoViews() {
        try (ScriptedMongos server = ScriptedMongos.start()
                        .helloField("msg", new BsonString(""))
                        .helloField("setName", new BsonString("cfg"))
                        .helloField("hosts", new BsonArray());
                MongoCatalogSource source = MongoCatalogSource.open(server.uri() + "/?directConnection=true")) {
            assertThat(source.shards()).isEmpty();
            assertThat(source.readsViews()).isFalse();
        }
    }
}
