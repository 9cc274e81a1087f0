package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S25: what mongosh, Compass, mongodump and mongorestore send by themselves is never refused, not even where every broadcast
 * is; what a person then asks in mongosh is.
 */
@ExtendWith(BlockHoundExtension.class)
class S25StartUpTrafficTest {
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["%s"] }
            catalog: { refresh: 1s, uri: "%s" }
            policy: { mode: enforce, default: { reads: refuse, writes: refuse }%s }
            audit: { sinks: [] }
            """;
    private static final int REFUSED = 61_001;

    private final ScriptedMongos catalog = ScriptedMongos.start();
    private final ScriptedMongos mongos = ScriptedMongos.start();

    @BeforeEach
    void script() {
        commands().forEach(json -> mongos.always(BsonDocument.parse(json).getFirstKey(), Reply.ok()));
        toolCommands().forEach(json -> mongos.always(BsonDocument.parse(json).getFirstKey(), Reply.ok()));
    }

    @AfterEach
    void stop() {
        mongos.close();
        catalog.close();
    }

    private ProxyUnderTest proxy(String furtherPolicy) {
        String yaml = CONFIG.formatted(mongos.address(), catalog.uri(), furtherPolicy);
        return ProxyUnderTest.of(yaml, catalog, RuntimeParts.standard());
    }

    /** Start-up, prompt, helpers such as {@code show dbs} and {@code sh.status()}, monitoring. */
    static List<String> commands() {
        return List.of(
                "{hello: 1, $db: 'admin'}",
                "{ping: 1, $db: 'admin'}",
                "{buildInfo: 1, $db: 'admin'}",
                "{getCmdLineOpts: 1, $db: 'admin'}",
                "{getLog: 'startupWarnings', $db: 'admin'}",
                "{getParameter: 1, featureCompatibilityVersion: 1, $db: 'admin'}",
                "{atlasVersion: 1, $db: 'admin'}",
                "{connectionStatus: 1, showPrivileges: true, $db: 'admin'}",
                "{hostInfo: 1, $db: 'admin'}",
                "{serverStatus: 1, $db: 'admin'}",
                "{whatsmyuri: 1, $db: 'admin'}",
                "{listCommands: 1, $db: 'admin'}",
                "{isdbgrid: 1, $db: 'admin'}",
                "{top: 1, $db: 'admin'}",
                "{balancerStatus: 1, $db: 'admin'}",
                "{listShards: 1, $db: 'admin'}",
                "{replSetGetStatus: 1, $db: 'admin'}",
                "{endSessions: [], $db: 'admin'}",
                "{listDatabases: 1, nameOnly: true, $db: 'admin'}",
                "{currentOp: 1, $db: 'admin'}",
                "{aggregate: 1, pipeline: [{$currentOp: {allUsers: true}}], cursor: {}, $db: 'admin'}",
                "{aggregate: 1, pipeline: [{$listLocalSessions: {}}], cursor: {}, $db: 'admin'}",
                "{find: 'system.users', filter: {}, $db: 'admin'}",
                "{count: 'atlascli', $db: 'admin'}",
                "{find: 'settings', filter: {_id: 'balancer'}, $db: 'config'}",
                "{find: 'version', filter: {}, $db: 'config'}",
                "{find: 'shards', filter: {}, sort: {_id: 1}, $db: 'config'}",
                "{find: 'mongos', filter: {}, $db: 'config'}",
                "{find: 'chunks', filter: {}, $db: 'config'}",
                "{count: 'chunks', query: {}, $db: 'config'}",
                "{distinct: 'chunks', key: 'shard', $db: 'config'}",
                "{find: 'system.sessions', filter: {}, $db: 'config'}",
                "{find: 'startup_log', filter: {}, sort: {startTime: -1}, $db: 'local'}",
                "{update: 'settings', updates: [{q: {}, u: {$set: {stopped: true}}, multi: true}], $db: 'config'}",
                "{delete: 'tags', deletes: [{q: {}, limit: 0}], $db: 'config'}",
                "{listCollections: 1, nameOnly: true, authorizedCollections: true, $db: 'shop'}",
                "{listIndexes: 'orders', $db: 'shop'}",
                "{dbStats: 1, $db: 'shop'}",
                "{collStats: 'orders', $db: 'shop'}",
                "{aggregate: 'orders', pipeline: [{$collStats: {storageStats: {scale: 1}}}], cursor: {}, $db: 'shop'}",
                "{aggregate: 'orders', pipeline: [{$indexStats: {}}], cursor: {}, $db: 'shop'}",
                "{explain: {find: 'orders', filter: {status: 'x'}}, verbosity: 'executionStats', $db: 'shop'}");
    }

    /** What tools send of their own accord to collections of the application; refused when a person sends it. */
    static List<String> toolCommands() {
        return List.of(
                "{find: 'orders', filter: {}, hint: {_id: 1}, $db: 'shop'}",
                "{count: 'orders', query: {}, $db: 'shop'}",
                "{aggregate: 'orders', pipeline: [{$match: {}}, {$sample: {size: 1000}}], cursor: {}, $db: 'shop'}",
                "{delete: 'orders', deletes: [{q: {}, limit: 0}], $db: 'shop'}",
                "{update: 'orders', updates: [{q: {status: 'x'}, u: {$set: {a: 1}}, multi: true}], $db: 'shop'}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongosh 2.12.0", "MongoDB Compass", "mongodump", "mongorestore", "some-application"})
    void administrationIsNeverRefused(String appName) {
        try (ProxyUnderTest proxy = proxy("");
                RawClient client = introduced(proxy, appName)) {
            for (String json : commands()) {
                BsonDocument command = BsonDocument.parse(json);
                // Before what a scripted catalog would read out of it.
                mongos.once(command.getFirstKey(), Reply.ok());
                assertThat(client.command(command)).as(json).containsEntry("ok", new BsonDouble(1));
            }
            assertThat(proxy.runtime().counters().refusedCommands()).isZero();
            assertThat(proxy.runtime().counters().internalErrorCount()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"MongoDB Compass", "mongodump", "mongorestore", "mongoexport", "mongoimport", "mongostat"})
    void aToolMayBroadcast(String appName) {
        try (ProxyUnderTest proxy = proxy("");
                RawClient client = introduced(proxy, appName)) {
            toolCommands()
                    .forEach(json -> assertThat(client.command(BsonDocument.parse(json)))
                            .as(json)
                            .containsEntry("ok", new BsonDouble(1)));
        }
        try (ProxyUnderTest proxy = proxy(", tools: judge");
                RawClient client = introduced(proxy, appName)) {
            toolCommands().forEach(json -> assertRefused(client, json));
        }
    }

    @ParameterizedTest
    @MethodSource("toolCommands")
    void anybodyElseMayNot(String json) {
        try (ProxyUnderTest proxy = proxy("")) {
            for (String appName : List.of("mongosh 2.12.0", "some-application", "mongodump-like", "Compass")) {
                try (RawClient client = introduced(proxy, appName)) {
                    assertRefused(client, json);
                }
            }
        }
    }

    @Test
    void mongoshStartsWorksAndIsRefusedItsOneBroadcastOnly() {
        ClientTool.MONGOSH.assumeAvailable();
        try (ScriptedMongos working = ScriptedMongos.start().withData();
                ProxyUnderTest proxy = ProxyUnderTest.of(
                        CONFIG.formatted(working.address(), catalog.uri(), ""), catalog, RuntimeParts.standard())) {
            ClientProcess.of(ClientTool.MONGOSH, proxy.uri()).run().result();
            assertThat(proxy.runtime().counters().refusedCommands()).isOne();
            assertThat(working.requests("buildInfo")).isNotEmpty();
        }
    }

    private static RawClient introduced(ProxyUnderTest proxy, String appName) {
        RawClient client = proxy.rawClient();
        client.command(BsonDocument.parse("{hello: 1, $db: 'admin'}")
                .append("client", new BsonDocument("application", new BsonDocument("name", new BsonString(appName)))));
        return client;
    }

    private static void assertRefused(RawClient client, String json) {
        assertThat(client.command(BsonDocument.parse(json))).as(json).containsEntry("code", new BsonInt32(REFUSED));
    }
}
