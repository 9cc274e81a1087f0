package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code policy.refusalDetail} and {@code policy.refuseUnacknowledged}, as they are configured. */
@ExtendWith(BlockHoundExtension.class)
class RefusalSettingsTest {
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["UPSTREAM"] }
            policy:
              mode: enforce
              default: { reads: refuse, writes: refuse }
              refusalDetail: codeOnly
              refuseUnacknowledged: true
            audit: { sinks: [], record: routed }
            """;
    private static final BsonDocument BROADCAST = BsonDocument.parse(
            "{delete: 'orders', deletes: [{q: {status: 'open'}, limit: 0}], writeConcern: {w: 0}, $db: 'shop'}");
    private static final BsonDocument TARGETED = BsonDocument.parse(
            "{delete: 'orders', deletes: [{q: {customerId: 7, orderId: 1}, limit: 1}], $db: 'shop'}");

    private final AuditRecords records = new AuditRecords();
    private final ScriptedMongos mongos = ScriptedMongos.start().withData();
    private final ProxyUnderTest proxy =
            ProxyUnderTest.configured(mongos, CONFIG, RuntimeParts.standard().withSink(records));

    @AfterEach
    void stop() {
        proxy.close();
        mongos.close();
    }

    @Test
    void aRefusalTellsNoMoreThanItMay() {
        try (RawClient client = proxy.rawClient()) {
            assertThat(client.command(BROADCAST))
                    .isEqualTo(BsonDocument.parse("{ok: 0.0, code: 61001, codeName: 'ScatterGatherRefused',"
                            + " errmsg: 'Scatterguard refused the command.', errorLabels: ['ScatterguardRefused']}"));
        }
        assertThat(records.next().get("shardKey"))
                .as("the record has it all")
                .isEqualTo(new BsonString("{customerId: 1, orderId: 1}"));
    }

    @Test
    void aWriteThatNobodyWaitsForIsDropped() {
        try (RawClient client = proxy.rawClient()) {
            client.send(client.msg(BROADCAST).moreToCome(), client.msg(TARGETED));
            assertThat(client.receive().body().getNumber("ok").intValue()).isOne();
        }
        assertThat(mongos.requests("delete")).hasSize(1);
        assertThat(proxy.runtime().counters().refusedCommands()).isEqualTo(1);
        BsonDocument dropped = records.next();
        assertThat(dropped.getDocument("verdict").get("action")).isEqualTo(new BsonString("refuse"));
        assertThat(dropped).doesNotContainKey("status");
        assertThat(records.next().getDocument("verdict").get("action")).isEqualTo(new BsonString("allow"));
    }
}
