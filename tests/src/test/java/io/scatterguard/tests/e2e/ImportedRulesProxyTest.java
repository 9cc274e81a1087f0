package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * A proxy in front of a cluster, and one in front of an unsharded copy of its data with the rules that {@code rules import} wrote of
 * it, record the same routes and verdicts.
 */
@ResourceLock(Resources.SYSTEM_OUT)
class ImportedRulesProxyTest {
    private static final int COMMANDS = 500;
    private static final BsonDocument HELLO = BsonDocument.parse("{isMaster: 1, $db: 'admin'}");

    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { kind: %s, hosts: ["127.0.0.1:%d"] }
            %s
            policy:
              mode: enforce
              default: { reads: refuse, writes: log }
              rules:
                - { name: no-broadcast-on-orders, match: { namespace: shop.orders, shape: scatterGather }, action: refuse }
            audit: { sinks: [], record: routed }
            """;

    private static final List<String> COLLECTIONS = List.of("orders", "customers", "products", "events", "settings");

    private static final List<String> FILTERS = List.of(
            "{}",
            "{customerId: I}",
            "{customerId: I, orderId: J}",
            "{customerId: {$gt: I}}",
            "{customerId: {$in: [I, J]}, orderId: {$lt: J}}",
            "{$or: [{customerId: I, orderId: J}, {customerId: J}]}",
            "{_id: I}",
            "{_id: {$in: [I, J]}}",
            "{sku: 'sku-I'}",
            "{sku: {$gte: 'sku-I'}}",
            "{ts: {$date: '2026-04-0KT00:00:00Z'}}",
            "{ts: {$gte: {$date: '2026-04-0KT00:00:00Z'}}}",
            "{status: 'open'}");

    private static final List<String> PATTERNS = List.of(
            "{find: 'N', filter: F}",
            "{count: 'N', query: F}",
            "{distinct: 'N', key: 'status', query: F}",
            "{aggregate: 'N', pipeline: [{$match: F}], cursor: {}}",
            "{aggregate: 'N', pipeline: [{$sort: {status: 1}}, {$match: F}, {$limit: 2}], cursor: {}}",
            "{aggregate: 'N', pipeline: [{$group: {_id: '$status'}}], cursor: {}}",
            "{insert: 'N', documents: [{customerId: I, orderId: J, sku: 'sku-J', ts: {$date: '2026-04-0KT00:00:00Z'}}]}",
            "{update: 'N', updates: [{q: F, u: {$set: {n: 1}}}, {q: F, u: {$inc: {n: 1}}, multi: true}]}",
            "{update: 'N', updates: [{q: F, u: {$set: {n: 1}}, multi: true}]}",
            "{delete: 'N', deletes: [{q: F, limit: 1}]}",
            "{delete: 'N', deletes: [{q: F, limit: 0}]}",
            "{findAndModify: 'N', query: F, update: {$set: {n: 2}}}",
            "{collStats: 'N'}",
            "{listIndexes: 'N'}");

    @TempDir
    private Path folder;

    private final AuditRecords records = new AuditRecords();
    private final AuditRecords recordsOfCopy = new AuditRecords();
    private final SplittableRandom random = new SplittableRandom(20_261_204);

    @Test
    void theFileJudgesTheCopyAsTheCatalogJudgesTheCluster() {
        try (EmbeddedServer cluster = EmbeddedServer.start(0);
                EmbeddedServer copy = EmbeddedServer.start(0)) {
            ShopData.load(cluster.connectionString());
            ShopData.load(copy.connectionString());
            try (MongoClient client = MongoClients.create(copy.connectionString())) {
                client.getDatabase("config").drop();
            }
            String file = folder.resolve("rules.yaml").toString();
            CommandLineRun run = CommandLineRun.of(
                    "rules", "import", "--uri", cluster.connectionString(), "--chunks", "--output", file);
            assertThat(run.code()).as(run.err()).isZero();
            try (ProxyUnderTest live = proxy("mongos", cluster, "", records);
                    ProxyUnderTest alone = proxy("standalone", copy, "shardingRulesFile: " + file, recordsOfCopy)) {
                compare(live, alone);
            }
        }
    }

    private static ProxyUnderTest proxy(String kind, EmbeddedServer server, String rules, AuditRecords records) {
        return ProxyUnderTest.of(
                CONFIG.formatted(kind, server.port(), rules),
                RuntimeParts.standard().withSink(records));
    }

    private void compare(ProxyUnderTest live, ProxyUnderTest alone) {
        Map<String, Integer> seen = new HashMap<>();
        try (RawClient client = live.rawClient();
                RawClient clientOfCopy = alone.rawClient()) {
            client.command(HELLO);
            clientOfCopy.command(HELLO);
            for (int i = 0; i < COMMANDS; i++) {
                BsonDocument command = command();
                BsonDocument reply = client.command(command);
                BsonDocument replyOfCopy = clientOfCopy.command(command);
                BsonDocument record = records.next();
                BsonDocument recordOfCopy = recordsOfCopy.next();

                assertThat(route(recordOfCopy)).as(command.toJson()).isEqualTo(route(record));
                assertThat(recordOfCopy.get("shardKey")).as(command.toJson()).isEqualTo(record.get("shardKey"));
                boolean wouldFail = recordOfCopy.containsKey("wouldFail");
                assertThat(verdict(recordOfCopy, wouldFail))
                        .as(command.toJson())
                        .isEqualTo(verdict(record, wouldFail));
                assertThat(code(replyOfCopy)).as(command.toJson()).isEqualTo(code(reply));
                String shape = record.getDocument("route")
                        .getString("shape", new BsonString("none"))
                        .getValue();
                seen.merge(shape, 1, Integer::sum);
                seen.merge(record.getDocument("verdict").getString("action").getValue(), 1, Integer::sum);
            }
        }
        assertThat(seen).containsKeys("none", "singleShard", "multiShard", "scatterGather", "refuse", "allow", "log");
    }

    private BsonDocument command() {
        String filter = FILTERS.get(random.nextInt(FILTERS.size()));
        String command = PATTERNS.get(random.nextInt(PATTERNS.size()))
                .replace("F", filter)
                .replace("N", COLLECTIONS.get(random.nextInt(COLLECTIONS.size())))
                .replaceAll("\\bI\\b", Integer.toString(random.nextInt(400)))
                .replaceAll("\\bJ\\b", Integer.toString(random.nextInt(400_000)))
                .replace("0K", "0" + (1 + random.nextInt(9)));
        return BsonDocument.parse(command).append("$db", new BsonString("shop"));
    }

    /** The route without what tells where the table comes from. */
    private static BsonDocument route(BsonDocument record) {
        BsonDocument route = record.getDocument("route").clone();
        route.remove("declared");
        route.remove("tableVersion");
        route.remove("tableAgeMillis");
        return route;
    }

    /** Only in front of what is not sharded is it said what a cluster would refuse: it refuses by itself. */
    private static BsonValue verdict(BsonDocument record, boolean wouldFail) {
        BsonDocument verdict = record.getDocument("verdict");
        return wouldFail ? new BsonString(refused(verdict)) : verdict;
    }

    private static String refused(BsonDocument verdict) {
        return verdict.getString("action").getValue().equals("refuse") ? "refused" : "forwarded";
    }

    private static int code(BsonDocument reply) {
        return reply.containsKey("code") ? reply.getNumber("code").intValue() : 0;
    }
}
