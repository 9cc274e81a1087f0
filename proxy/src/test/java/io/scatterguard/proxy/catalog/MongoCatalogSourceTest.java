package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against an in-memory server whose {@code config} database holds documents as a cluster would have them. */
@Timeout(120)
class MongoCatalogSourceTest {
    private static final Namespace ORDERS = Namespace.parse("shop.orders");
    private static final ObjectId CLUSTER_ID = new ObjectId("650000000000000000000001");

    /** A release that the driver still speaks to; the embedded server's own newest is too old for it. */
    static final MongoVersion VERSION = new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
            return List.of(6, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 17;
        }
    };

    private MongoServer server;
    private CatalogSource source;

    @BeforeEach
    void start() {
        server = serverOn(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        source = MongoCatalogSource.open(uri() + "/?serverSelectionTimeoutMS=500");
    }

    @AfterEach
    void stop() {
        source.close();
        server.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void readsEitherLayout(Layout layout) {
        Collection orders = Collection.of(layout, "shop.orders", "{a: 1}");
        Collection other = Collection.of(layout, "shop.other", "{b: 'hashed'}");
        insert(orders, orders.chunksSplitAt("{$numberLong: '9007199254740993'}", "'m'"));
        insert(other, other.chunksSplitAt("{$numberLong: '0'}"));

        CatalogLoad load = new CatalogLoader(source, Clock.systemUTC()).load();

        assertThat(load.problems()).isEmpty();
        assertThat(load.clusterId()).isEqualTo(CLUSTER_ID);
        CatalogSnapshot snapshot = load.snapshot();
        assertThat(snapshot.registry().ids()).containsExactly("a", "b");
        assertThat(snapshot.primary("shop")).isEqualTo(1);
        assertThat(snapshot.table(ORDERS).chunkCount()).isEqualTo(3);
        assertThat(snapshot.table(ORDERS).version()).hasToString("3|0");
        assertThat(snapshot.table(Namespace.parse("shop.other")).shardKey().hasHashedField())
                .isTrue();
    }

    @Test
    void keepsTheNumericTypesOfBoundsApart() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        String[] splits = {"{$numberInt: '1'}", "{$numberLong: '2'}", "{$numberDouble: '3.0'}", "{$numberDecimal: '4'}"
        };
        insert(orders, orders.chunksSplitAt(splits));
        List<String> types = new ArrayList<>();

        source.chunks(
                Incarnation.of(orders.document()),
                chunk -> types.add(
                        chunk.getDocument("min").get("a").getBsonType().name()));

        assertThat(types).containsExactlyInAnyOrder("MIN_KEY", "INT32", "INT64", "DOUBLE", "DECIMAL128");
    }

    @ParameterizedTest
    @EnumSource
    void readsTheChunksFromAGivenVersionOnInItsOrder(Layout layout) {
        Collection orders = Collection.of(layout, "shop.orders", "{a: 1}");
        Collection other = Collection.of(layout, "shop.other", "{a: 1}");
        insert(orders, orders.chunksSplitAt("1", "2", "3"));
        insert(other, other.chunksSplitAt("1", "2", "3", "4", "5"));
        Incarnation incarnation = Incarnation.of(orders.document());

        assertThat(versionsSince(incarnation, new ChunkVersion(2, 0))).containsExactly("2|0", "3|0", "4|0");
        assertThat(versionsSince(incarnation, new ChunkVersion(4, 0))).containsExactly("4|0");
        assertThat(versionsSince(incarnation, new ChunkVersion(4, 1))).isEmpty();
    }

    private List<String> versionsSince(Incarnation incarnation, ChunkVersion version) {
        List<String> versions = new ArrayList<>();
        source.chunksSince(
                incarnation,
                version,
                chunk -> versions.add(
                        ChunkVersion.of(chunk.getTimestamp("lastmod")).toString()));
        return versions;
    }

    @ParameterizedTest
    @EnumSource
    void findsTheHighestVersionOfOneCollection(Layout layout) {
        Collection orders = Collection.of(layout, "shop.orders", "{a: 1}");
        Collection other = Collection.of(layout, "shop.other", "{a: 1}");
        insert(orders, orders.chunksSplitAt("1", "2", "3"));
        insert(other, other.chunksSplitAt("1", "2", "3", "4", "5"));

        assertThat(source.highestVersion(Incarnation.of(orders.document()))).isEqualTo(new ChunkVersion(4, 0));
        assertThat(source.highestVersion(Incarnation.of(
                        Collection.of(layout, "shop.none", "{a: 1}").document())))
                .isEqualTo(ChunkVersion.NONE);
    }

    /** The embedded server has no views, and lists collections whatever the filter. */
    @Test
    void aCollectionIsNoView() {
        inConfig(config -> config.createCollection("ordinary"));
        assertThat(source.readsViews()).isTrue();
        assertThat(source.views("config")).isEmpty();
        assertThat(source.views("nothing")).isEmpty();
    }

    @Test
    void findsOneCollectionOrNone() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        insert(orders, orders.chunksSplitAt());

        assertThat(source.collection(ORDERS)).isEqualTo(orders.document());
        assertThat(source.collection(Namespace.parse("shop.order"))).isNull();
    }

    @Test
    void aServerWithoutMetadataIsAnEmptyCatalog() {
        inConfig(config -> config.drop());

        CatalogLoad load = new CatalogLoader(source, Clock.systemUTC()).load();

        assertThat(load.clusterId()).isNull();
        assertThat(load.snapshot().complete()).isTrue();
        assertThat(load.snapshot().tables()).isEmpty();
        assertThat(load.snapshot().registry().registered().isEmpty()).isTrue();
    }

    @Test
    void aRefresherLivesThroughARestartOfTheServer() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        insert(orders, orders.chunksSplitAt("1"));
        InetSocketAddress address = server.getLocalAddress();
        CatalogRefresher refresher = new CatalogRefresher(source, Duration.ofHours(1));
        assertThat(refresher.refreshOnce()).isNull();
        assertThat(refresher.load(List.of(ORDERS))).succeedsWithin(Duration.ofSeconds(30));
        CatalogSnapshot good = refresher.current();

        server.shutdownNow();
        assertThat(refresher.refreshOnce()).isNotNull();
        assertThat(refresher.current()).isSameAs(good);
        assertThat(refresher.age(Instant.now().plusSeconds(60))).isGreaterThanOrEqualTo(Duration.ofSeconds(60));

        server = serverOn(address);
        insert(orders, orders.chunksSplitAt("1", "2"));
        assertThat(refresher.refreshNow()).succeedsWithin(Duration.ofSeconds(30));
        assertThat(refresher.load(List.of(ORDERS))).succeedsWithin(Duration.ofSeconds(30));
        assertThat(refresher.current().table(ORDERS).chunkCount()).isEqualTo(3);
        refresher.close();
    }

    @Test
    void usesMajorityReadsItsNameAndItsTimeoutsUnlessTheUriSaysOtherwise() {
        MongoClientSettings settings = MongoCatalogSource.settings("mongodb://h/?appName=mine");
        assertThat(settings.getApplicationName()).isEqualTo("scatterguard-catalog");
        assertThat(settings.getReadConcern()).isEqualTo(ReadConcern.MAJORITY);
        assertThat(settings.getReadPreference()).isEqualTo(ReadPreference.primaryPreferred());
        assertThat(settings.getSocketSettings().getConnectTimeout(TimeUnit.SECONDS))
                .isEqualTo(5);
        assertThat(settings.getSocketSettings().getReadTimeout(TimeUnit.SECONDS))
                .isEqualTo(30);
        assertThat(settings.getClusterSettings().getServerSelectionTimeout(TimeUnit.SECONDS))
                .isEqualTo(5);

        MongoClientSettings changed = MongoCatalogSource.settings(
                "mongodb://h/?readPreference=nearest&readConcernLevel=local&connectTimeoutMS=7000");
        assertThat(changed.getReadConcern()).isEqualTo(ReadConcern.LOCAL);
        assertThat(changed.getReadPreference()).isEqualTo(ReadPreference.nearest());
        assertThat(changed.getSocketSettings().getConnectTimeout(TimeUnit.SECONDS))
                .isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://reader:hunter2/x@cfg:27019",
                "mongodb://reader:hunter2@@cfg",
                "mongodb://reader:hunter2%zz@cfg",
                "http://reader:hunter2@cfg",
                "mongodb://reader:hunter2@cfg/?readPreference=hunter2"
            })
    void neverQuotesAPasswordOfAnInvalidUri(String uri) {
        assertThatThrownBy(() -> MongoCatalogSource.open(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "catalog.uri: not a MongoDB connection string"
                                + " (percent-encode special characters of the user and the password; look at names and values of the options)")
                .hasNoCause();
    }

    @Test
    void explainsAnInvalidUriThatHasNoPassword() {
        assertThatThrownBy(() -> MongoCatalogSource.open("cfg:27019"))
                .hasMessageStartingWith("catalog.uri: not a MongoDB connection string: ")
                .hasMessageContaining("mongodb://");
    }

    @Test
    void aFailureDoesNotQuoteThePassword() {
        String withPassword = uri().replace("mongodb://", "mongodb://reader:hunter2@");
        try (CatalogSource denied =
                MongoCatalogSource.open(withPassword + "/?serverSelectionTimeoutMS=500&authMechanism=SCRAM-SHA-256")) {
            assertThatThrownBy(denied::shards)
                    .satisfies(failure -> assertThat(failure.toString()).doesNotContain("hunter2"));
            assertThat(denied.toString()).doesNotContain("hunter2");
        }
    }

    private static MongoServer serverOn(InetSocketAddress address) {
        MemoryBackend backend = new MemoryBackend();
        backend.version(VERSION);
        MongoServer started = new MongoServer(backend);
        started.bind(address);
        try (MongoClient client = MongoClients.create(uri(started))) {
            MongoDatabase config = client.getDatabase("config");
            config.getCollection("shards", BsonDocument.class)
                    .insertMany(List.of(RawCatalogs.SHARD_A, RawCatalogs.SHARD_B));
            config.getCollection("databases", BsonDocument.class)
                    .insertOne(BsonDocument.parse("{_id: 'shop', primary: 'b'}"));
            config.getCollection("version", BsonDocument.class)
                    .insertOne(BsonDocument.parse("{_id: 1}").append("clusterId", new BsonObjectId(CLUSTER_ID)));
        }
        return started;
    }

    private void insert(Collection collection, List<BsonDocument> chunks) {
        inConfig(config -> {
            config.getCollection("collections", BsonDocument.class).insertOne(collection.document());
            config.getCollection("chunks", BsonDocument.class).insertMany(chunks);
        });
    }

    private void inConfig(Consumer<MongoDatabase> action) {
        try (MongoClient client = MongoClients.create(uri())) {
            action.accept(client.getDatabase("config"));
        }
    }

    private String uri() {
        return uri(server);
    }

    private static String uri(MongoServer server) {
        return "mongodb://127.0.0.1:" + server.getLocalAddress().getPort();
    }
}
