package io.scatterguard.tests.e2e;

import static io.scatterguard.tests.support.OtlpCollector.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertOneOptions;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.tests.support.HttpAnswer;
import io.scatterguard.tests.support.OtlpCollector;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands of a real driver whose comment says which trace they belong to, and a collector. */
class TracingTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String SAMPLED = "00-" + TRACE + "-" + SPAN + "-01";
    private static final String LITERAL = "s3cr3t-literal";
    private static final String CONFIG = """
            cluster: staging-eu
            listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } } ]
            policy:
              mode: enforce
              default: { reads: allow, writes: allow }
              rules:
                - { name: no-broadcast, match: { namespace: "shop.orders", shape: scatterGather }, action: refuse }
            audit: { sinks: [] }
            admin: { bind: "127.0.0.1:0" }
            tracing:
              endpoint: "ENDPOINT"
              headers: [ { name: Authorization, value: "Bearer s3cr3t-token" } ]
              queueCapacity: 5
            """;

    private final ScriptedMongos mongos = ScriptedMongos.start().withData();
    private final OtlpCollector collector = OtlpCollector.start();

    @AfterEach
    void stop() {
        collector.close();
        mongos.close();
    }

    private ProxyUnderTest proxy(String endpoint) {
        return ProxyUnderTest.configured(mongos, CONFIG.replace("ENDPOINT", endpoint), RuntimeParts.standard());
    }

    private ProxyUnderTest proxy() {
        return proxy(collector.endpoint("/v1/traces"));
    }

    private static String metric(ProxyUnderTest proxy, String series) {
        return HttpAnswer.get(proxy.runtime().adminAddress(), "/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(series))
                .findFirst()
                .orElse("");
    }

    @Test
    void aTargetedCommandIsASpanOfItsTrace() {
        try (ProxyUnderTest proxy = proxy();
                MongoClient client = proxy.driver()) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            Document first = Document.parse("{customerId: 7, orderId: 1, text: '" + LITERAL + "'}");
            orders.insertOne(first, new InsertOneOptions().comment("traceparent=" + SAMPLED));
            assertThat(orders.find(Filters.and(Filters.eq("customerId", 7), Filters.eq("text", LITERAL)))
                            .comment(new BsonDocument("traceparent", new BsonString(SAMPLED))
                                    .append("note", new BsonString(LITERAL)))
                            .first())
                    .isEqualTo(first);
            await().until(() -> collector.spans().size() == 2);
        }
        assertThat(collector.spans())
                .extracting(span -> span.getString("name").getValue())
                .containsExactly("insert shop.orders", "find shop.orders");
        BsonDocument find = collector.spans().get(1);
        assertThat(find.getString("traceId").getValue()).isEqualTo(TRACE);
        assertThat(find.getString("parentSpanId").getValue()).isEqualTo(SPAN);
        assertThat(find.getString("spanId").getValue()).matches("[0-9a-f]{16}").isNotEqualTo(SPAN);
        assertThat(find.getInt32("kind").getValue()).isEqualTo(3);
        assertThat(find).doesNotContainKey("status");
        assertThat(attribute(find, "db.system.name")).isEqualTo("mongodb");
        assertThat(attribute(find, "db.operation.name")).isEqualTo("find");
        assertThat(attribute(find, "db.namespace")).isEqualTo("shop");
        assertThat(attribute(find, "db.collection.name")).isEqualTo("orders");
        assertThat(attribute(find, "scatterguard.cluster")).isEqualTo("staging-eu");
        assertThat(attribute(find, "scatterguard.certainty")).isEqualTo("exact");
        assertThat(attribute(find, "scatterguard.action")).isEqualTo("allow");
        assertThat(attribute(find, "scatterguard.shards")).contains("shard");
        assertThat(micros(find)).isBetween(1L, 60_000_000L);
        assertNothingSecret();
    }

    /** From its start to its end it took what the proxy and the server took. */
    private static long micros(BsonDocument span) {
        long nanos = Long.parseLong(span.getString("endTimeUnixNano").getValue())
                - Long.parseLong(span.getString("startTimeUnixNano").getValue());
        long parts = intAttribute(span, "scatterguard.proxy_micros") + intAttribute(span, "scatterguard.server_micros");
        assertThat(nanos).isEqualTo(parts * 1_000);
        return parts;
    }

    private static long intAttribute(BsonDocument span, String key) {
        return Long.parseLong(
                BsonDocument.parse(attribute(span, key)).getString("intValue").getValue());
    }

    private void assertNothingSecret() {
        assertThat(collector.bodies()).noneMatch(body -> body.contains("s3cr3t"));
        assertThat(collector.tokens()).containsOnly("Bearer s3cr3t-token");
    }

    @Test
    void aRefusedCommandIsAnError() {
        try (ProxyUnderTest proxy = proxy();
                MongoClient client = proxy.driver()) {
            assertThatThrownBy(() -> client.getDatabase("shop")
                            .getCollection("orders")
                            .find(Filters.eq("status", LITERAL))
                            .comment("checkout traceparent='" + SAMPLED + "'")
                            .first())
                    .isInstanceOf(MongoCommandException.class);
            await().until(() -> collector.spans().size() == 1);
            assertThat(metric(proxy, "scatterguard_spans_total{cluster=\"staging-eu\",outcome=\"sent\"}"))
                    .endsWith(" 1.0");
        }
        BsonDocument span = collector.spans().get(0);
        assertThat(span.getDocument("status").getInt32("code").getValue()).isEqualTo(2);
        assertThat(attribute(span, "db.response.status_code")).isEqualTo("61001");
        assertThat(attribute(span, "error.type")).isEqualTo("61001");
        assertThat(attribute(span, "scatterguard.action")).isEqualTo("refuse");
        assertThat(attribute(span, "scatterguard.rule")).isEqualTo("no-broadcast");
        assertThat(attribute(span, "scatterguard.shape")).isEqualTo("scatterGather");
        assertThat(attribute(span, "scatterguard.shape_hash")).matches("[0-9a-f]{16}");
        assertNothingSecret();
    }

    @Test
    void aFailedCommandIsAnErrorWithTheServersCode() {
        mongos.once("count", Reply.error(50, "MaxTimeMSExpired", "took " + LITERAL));
        try (ProxyUnderTest proxy = proxy();
                RawClient client = proxy.rawClient()) {
            client.command(BsonDocument.parse(
                    "{count: 'orders', query: {customerId: 7}, comment: 'traceparent=" + SAMPLED + "', $db: 'shop'}"));
        }
        assertThat(collector.spans())
                .singleElement()
                .satisfies(span -> assertThat(attribute(span, "error.type")).isEqualTo("50"));
        assertNothingSecret();
    }

    @Test
    void whatIsNotSampledOrWronglyFormedIsNoSpan() {
        List<String> comments = List.of(
                "'traceparent=00-" + TRACE + "-" + SPAN + "-00'",
                "{traceparent: '00-" + TRACE + "-" + SPAN + "-00'}",
                "'traceparent=00-" + TRACE + "-01'",
                "'traceparent=00-00000000000000000000000000000000-" + SPAN + "-01'",
                "'nothing'",
                "7");
        try (ProxyUnderTest proxy = proxy();
                RawClient client = proxy.rawClient()) {
            for (String comment : comments) {
                client.command(BsonDocument.parse(
                        "{find: 'orders', filter: {customerId: 7}, comment: " + comment + ", $db: 'shop'}"));
            }
            client.command(BsonDocument.parse("{find: 'orders', filter: {customerId: 7}, $db: 'shop'}"));
        }
        assertThat(mongos.requests("find")).hasSize(comments.size() + 1);
        assertThat(collector.bodies()).isEmpty();
    }

    @Test
    void inBypassNothingIsLookedAt() {
        try (ProxyUnderTest proxy = proxy();
                RawClient client = proxy.rawClient()) {
            proxy.runtime().setMode(null, PolicyConfig.Mode.BYPASS);
            client.command(BsonDocument.parse(
                    "{find: 'orders', filter: {}, comment: 'traceparent=" + SAMPLED + "', $db: 'shop'}"));
        }
        assertThat(mongos.requests("find")).hasSize(1);
        assertThat(collector.bodies()).isEmpty();
    }

    /** Its port is closed: traffic goes on, and of 30 spans those are lost that five places and one request do not hold. */
    @Test
    void aCollectorThatIsGoneCostsSpansOnly() {
        OtlpCollector gone = OtlpCollector.start();
        gone.close();
        try (ProxyUnderTest proxy = proxy(gone.endpoint("/v1/traces"));
                RawClient client = proxy.rawClient()) {
            for (int i = 0; i < 30; i++) {
                assertThat(client.command(BsonDocument.parse("{find: 'orders', filter: {customerId: 7}, comment:"
                                        + " 'traceparent=" + SAMPLED + "', $db: 'shop'}"))
                                .getNumber("ok")
                                .intValue())
                        .isOne();
            }
            assertThat(metric(proxy, "scatterguard_spans_total{cluster=\"staging-eu\",outcome=\"dropped\"}"))
                    .matches(".* (2[0-9])\\.0");
        }
        assertThat(mongos.requests("find")).hasSize(30);
    }
}
