package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.MovedChunks;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How soon verdicts follow the cluster's metadata, and that traffic never waits for metadata that does not come. */
@ExtendWith(BlockHoundExtension.class)
class FreshCatalogTest {
    private static final BsonDocument TARGETED =
            BsonDocument.parse("{find: 'orders', filter: {customerId: 7, orderId: 1}, $db: 'shop'}");
    private static final BsonDocument BROADCAST =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");
    private static final String CONFIG = """
            cluster: test
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["%s"] }
            catalog: { uri: "%s", refresh: %s, onUnknown: %s }
            policy:
              mode: enforce
              default: { reads: log, writes: log }
              rules: [ { name: r, match: { shape: scatterGather }, action: refuse } ]
            audit: { sinks: [], record: routed }
            """;

    private final AuditRecords records = new AuditRecords();
    private ScriptedMongos mongos;
    private ScriptedMongos config;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
        mongos.withCatalog(CatalogDocuments.shop()).always("find", Reply.ok());
        config = ScriptedMongos.start();
        config.withCatalog(CatalogDocuments.shop());
    }

    @AfterEach
    void stop() {
        mongos.close();
        config.close();
    }

    private ProxyUnderTest proxy(String refresh, String onUnknown) {
        String yaml = CONFIG.formatted(mongos.address(), config.uri(), refresh, onUnknown);
        return ProxyUnderTest.of(yaml, RuntimeParts.standard().withSink(records));
    }

    /** The shard that a targeted find is predicted to go to. */
    private String shard(RawClient client) {
        assertThat(client.command(TARGETED)).isEqualTo(BsonDocument.parse("{ok: 1.0}"));
        BsonDocument route = records.next().getDocument("route");
        assertThat(route.getNumber("tableAgeMillis").longValue()).isNotNegative();
        assertThat(route.getArray("shards")).hasSize(1);
        return route.getArray("shards").get(0).asString().getValue();
    }

    @Test
    void aMoveAtTheSourceReachesVerdictsWithinAPeriod() {
        try (ProxyUnderTest proxy = proxy("1s", "allow");
                RawClient client = proxy.rawClient()) {
            assertThat(shard(client)).isEqualTo("shard-a");
            config.withCatalog(MovedChunks.lowest(CatalogDocuments.shop(), "shop.orders", "shard-c"));
            await().until(() -> shard(client).equals("shard-c"));
        }
    }

    @Test
    void aMoveThatPassesThroughReachesVerdictsAtOnce() {
        mongos.always("moveChunk", Reply.ok());
        try (ProxyUnderTest proxy = proxy("1h", "allow");
                RawClient client = proxy.rawClient()) {
            assertThat(shard(client)).isEqualTo("shard-a");
            config.withCatalog(MovedChunks.lowest(CatalogDocuments.shop(), "shop.orders", "shard-c"));
            client.command(BsonDocument.parse(
                    "{moveChunk: 'shop.orders', find: {customerId: 7, orderId: 1}, to: 'shard-c', $db: 'admin'}"));
            await().until(() -> shard(client).equals("shard-c"));
        }
    }

    /** How the metadata source fails. */
    private enum Failure {
        REFUSES,
        CUTS,
        ANSWERS_GARBAGE,
        ANSWERS_NOTHING;

        Reply of(Reply reply, CountDownLatch over) {
            return switch (this) {
                case REFUSES -> Reply.error(11600, "InterruptedAtShutdown", "planted");
                case CUTS -> Reply.close();
                case ANSWERS_GARBAGE -> Reply.json("{ok: 1.0, cursor: 'garbage'}");
                case ANSWERS_NOTHING -> reply.after(over);
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void trafficGoesOnWhileTheSourceFailsAndTheStatusSaysSo(Failure failure) {
        CountDownLatch over = new CountDownLatch(1);
        try (ProxyUnderTest proxy = proxy("1s", "refuse");
                RawClient client = proxy.rawClient()) {
            assertThat(shard(client)).isEqualTo("shard-a");
            config.metadata(reply -> failure.of(reply, over));
            await().pollInterval(Duration.ofMillis(20)).until(() -> {
                assertThat(shard(client)).isEqualTo("shard-a");
                assertThat(code(client.command(BROADCAST))).isEqualTo(61_001);
                records.next();
                return !causes(client).isEmpty();
            });
            assertThat(catalog(client).getBoolean("ready").getValue()).isTrue();
            if (failure != Failure.ANSWERS_NOTHING) {
                assertThat(catalog(client).getString("lastError").getValue()).isNotEmpty();
            }
            over.countDown();
            config.metadata(reply -> reply);
            await().atMost(Duration.ofSeconds(30)).until(() -> causes(client).isEmpty());
            assertThat(shard(client)).isEqualTo("shard-a");
        } finally {
            over.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Failure.class,
            names = {"REFUSES", "CUTS", "ANSWERS_GARBAGE"})
    void aStartWithoutMetadataIsNotReadyAndJudgesOnceThereIsSome(Failure failure) {
        config.metadata(reply -> failure.of(reply, new CountDownLatch(0)));
        try (ProxyUnderTest proxy = proxy("1s", "refuse");
                RawClient client = proxy.rawClient()) {
            assertThat(code(client.command(TARGETED))).isEqualTo(61_001);
            assertThat(records.next().getDocument("verdict").getString("reason").getValue())
                    .isEqualTo("catalogUnknown");
            assertThat(catalog(client).getBoolean("ready").getValue()).isFalse();
            assertThat(causes(client)).contains(new BsonString("nothingLoaded"), new BsonString("failing"));
            config.metadata(reply -> reply);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> catalog(client).getBoolean("ready").getValue());
            assertThat(shard(client)).isEqualTo("shard-a");
        }
    }

    @Test
    void aThousandRequestsOverManyCollectionsKeepTheirOrder() {
        config.withCatalog(MovedChunks.withCollections(CatalogDocuments.shop(), 50));
        try (ProxyUnderTest proxy = proxy("1h", "refuse");
                RawClient client = proxy.rawClient().readingAhead()) {
            List<OpMsgBuilder> requests = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                String filter = i % 3 == 0 ? "{b: 1}" : "{a: " + i + "}";
                String command = i % 10 == 9
                        ? "{ping: 1, $db: 'admin'}"
                        : "{find: 'c" + i % 53 + "', filter: " + filter + ", $db: 'many'}";
                requests.add(client.msg(BsonDocument.parse(command)));
            }
            client.send(requests.toArray(OpMsgBuilder[]::new));
            for (int i = 0; i < 1_000; i++) {
                WireFrame reply = client.receive();
                boolean refused = i % 10 != 9 && i % 3 == 0 && i % 53 < 50;
                assertThat(reply.responseTo()).isEqualTo(i + 1);
                assertThat(code(reply.body())).as("request %s", i).isEqualTo(refused ? 61_001 : 0);
            }
            assertThat(proxy.runtime().counters().metadataWaits())
                    .as("one a collection")
                    .isEqualTo(50);
            assertThat(proxy.runtime().counters().metadataMisses()).isZero();
        }
    }

    private static BsonDocument catalog(RawClient client) {
        return client.adminCommand("scatterguard").getDocument("catalog");
    }

    private static BsonArray causes(RawClient client) {
        return catalog(client).getArray("causes");
    }

    private static int code(BsonDocument reply) {
        return reply.containsKey("code") ? reply.getNumber("code").intValue() : 0;
    }
}
