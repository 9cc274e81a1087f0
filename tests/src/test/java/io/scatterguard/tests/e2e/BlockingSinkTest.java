package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.audit.AuditSink;
import io.scatterguard.proxy.audit.WhenFull;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** {@code whenFull: block} with a sink that has stopped: the application stops, and a bypass sets it free. */
class BlockingSinkTest {
    private static final BsonDocument FIND = BsonDocument.parse("{find: 'orders', filter: {}, $db: 'shop'}");
    private static final String CONFIG = """
            listeners: [{ bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } }]
            audit: { sinks: [], findings: every, queueCapacity: 4 }
            """;

    /** One that takes nothing until the gate is opened. */
    private static final class StoppedSink implements AuditSink {
        final CountDownLatch gate = new CountDownLatch(1);

        @Override
        public String name() {
            return "stopped";
        }

        @Override
        public WhenFull whenFull() {
            return WhenFull.BLOCK;
        }

        @Override
        public void write(List<byte[]> lines) throws IOException {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void aBypassFreesTheClientsThatWait() throws IOException {
        StoppedSink sink = new StoppedSink();
        try (ScriptedMongos mongos = ScriptedMongos.start().withData();
                ProxyUnderTest proxy = ProxyUnderTest.configured(
                        mongos, CONFIG, RuntimeParts.standard().withSink(sink));
                RawClient client = proxy.rawClient()) {
            AuditPipeline audit = proxy.runtime().audit();
            await().until(() -> {
                if (audit.pressure().paused() == 0) {
                    client.command(FIND);
                }
                return audit.pressure().paused() == 1 && audit.sinks().get(0).waiting() >= 2;
            });
            long forwarded = proxy.runtime().counters().forwardedRequests();
            client.send(client.msg(FIND));
            assertThat(proxy.runtime().setMode(null, Mode.BYPASS)).isTrue();

            assertThat(client.receive().body().getNumber("ok").intValue()).isEqualTo(1);
            assertThat(proxy.runtime().counters().forwardedRequests()).isEqualTo(forwarded + 1);
            assertThat(audit.pressure().paused()).isZero();
            sink.gate.countDown();
        }
    }
}
