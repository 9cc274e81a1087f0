package io.scatterguard.proxy.metrics;

import static io.scatterguard.proxy.metrics.MeterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.audit.AuditSettings;
import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import io.scatterguard.proxy.audit.AuditSink;
import io.scatterguard.proxy.audit.AuditSource;
import io.scatterguard.proxy.audit.Auditor;
import io.scatterguard.proxy.audit.Outcome;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The queue of each type of sink: what waits, what may, and the most that ever did. */
class QueueMetersTest {
    private static final int CAPACITY = 10;

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final ProxyMetrics metrics = new ProxyMetrics("c", 50, (route, client) -> OwnerLookup.UNOWNED);

    /** Waits in its first write until the gate is opened, or does not wait. */
    private final class TypedSink implements AuditSink {
        private final String type;
        private final boolean hangs;

        TypedSink(String type, boolean hangs) {
            this.type = type;
            this.hangs = hangs;
        }

        @Override
        public String name() {
            return type;
        }

        @Override
        public String type() {
            return type;
        }

        @Override
        public void write(List<byte[]> lines) {
            if (hangs) {
                entered.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static void record(AuditPipeline audit, int records) {
        CommandView command = MeterFixture.command("{find: 'orders', filter: {}}");
        Route route = MeterFixture.judgement(command, MeterFixture.LOGGED, Shape.SCATTER_GATHER, Placement.ALL_SHARDS)
                .route();
        AuditSource source = new AuditSource("127.0.0.1:27100", 1, MeterFixture.CLIENT);
        for (int i = 0; i < records; i++) {
            Auditor.PendingRecord pending = audit.begin(command, route, MeterFixture.LOGGED, source);
            assertThat(pending).isNotNull();
            audit.end(pending, new Outcome(true, null, 0, 10, 100, 100, 100));
        }
    }

    private double of(String figure, String type) {
        return value(metrics, "scatterguard_audit_sink_" + figure + "_records", "sink=\"" + type + "\"");
    }

    @Test
    void sinksOfOneTypeAreTakenTogether() throws Exception {
        AuditSettings settings =
                new AuditSettings("c", "i", Recording.FINDINGS, Findings.EVERY, CAPACITY, Duration.ofSeconds(5));
        List<AuditSink> sinks =
                List.of(new TypedSink("file", true), new TypedSink("file", false), new TypedSink("otlp", false));
        try (AuditPipeline audit = AuditPipeline.start(settings, sinks, route -> "", Clock.systemUTC())) {
            QueueMeters.bind(metrics, audit);
            record(audit, 1);
            entered.await();
            for (int i = 1; i <= 4; i++) {
                int waiting = i;
                record(audit, 1);
                await().until(() -> of("waiting", "file") == waiting && of("waiting", "otlp") == 0);
            }

            assertThat(of("peak", "file")).isEqualTo(4);
            assertThat(of("capacity", "file")).isEqualTo(2 * CAPACITY);
            assertThat(of("capacity", "otlp")).isEqualTo(CAPACITY);
            assertThat(of("peak", "otlp")).isBetween(1.0, 4.0);
            assertThat(of("capacity", "stdout")).isZero();
            assertThat(of("peak", "stdout")).isZero();
            gate.countDown();
            await().until(() -> of("waiting", "file") == 0);
            assertThat(of("peak", "file")).as("since the start").isEqualTo(4);
            assertThat(value(metrics, "scatterguard_audit_peak_records")).isBetween(1.0, 5.0);
        }
    }
}
