package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.tests.support.AuditFile;
import io.scatterguard.tests.support.Broadcasts;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.LogCollector;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ServeProcess;
import io.scatterguard.tests.support.ServeProcess.AuditCounts;
import io.scatterguard.tests.support.SinkMongos;
import java.nio.file.Path;
import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A collector that is away for a while in real time, under load: the traffic goes on, what was lost is what was counted as
 * dropped, and records come again once it is back. How long is set by {@code -Dscatterguard.collectorGone.millis}; the profile
 * {@code full} waits a minute.
 */
class CollectorGoneTest {
    private static final Duration GONE =
            Duration.ofMillis(Integer.getInteger("scatterguard.collectorGone.millis", 5_000));
    /** Between two attempts half a minute may pass. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final int CLIENTS = 4;

    @TempDir
    private Path folder;

    /** Of the one sink, as the status command shows it. */
    private static long sink(ServeProcess process, String field) {
        try (RawClient client = RawClient.connect(process.port())) {
            BsonDocument status = client.adminCommand("scatterguard");
            return status.getArray("sinks").get(0).asDocument().getNumber(field).longValue();
        }
    }

    @Test
    void whatIsLostIsCountedAndTheTrafficGoesOn() throws Exception {
        try (LogCollector collector = LogCollector.start();
                SinkMongos mongos = SinkMongos.start(CatalogDocuments.shop());
                ServeProcess process = serve(mongos, collector);
                Broadcasts load = Broadcasts.start(process.port(), CLIENTS)) {
            await().atMost(PATIENCE).until(() -> collector.received().records() > 500);
            collector.goAway();
            long atTheStart = load.answered();
            long gone = System.nanoTime();
            while (System.nanoTime() - gone < GONE.toNanos() || sink(process, "dropped") == 0) {
                load.awaitMore(100);
            }
            long meanwhile = load.answered() - atTheStart;
            long before = sink(process, "written");
            collector.comeBack();
            await().atMost(PATIENCE).until(() -> sink(process, "written") > before + 500);
            long answered = load.stop();
            AuditCounts counted = process.terminateCounting();

            AuditFile log = collector.received();
            System.out.printf(
                    "collector gone for %s under load: answered=%d (%d of them meanwhile) records=%d inGaps=%d"
                            + " countedRecorded=%d countedDropped=%d%n",
                    GONE, answered, meanwhile, log.records(), log.missing(), counted.recorded(), counted.dropped());
            assertThat(load.failures()).isEmpty();
            assertThat(log.problems()).isEmpty();
            assertThat(log.last())
                    .as("each command answered is a record or in a gap")
                    .isEqualTo(answered);
            assertThat(log.records()).isEqualTo(counted.recorded());
            assertThat(log.missing()).isEqualTo(counted.dropped()).isPositive();
        }
    }

    private ServeProcess serve(SinkMongos mongos, LogCollector collector) {
        return ServeProcess.start(folder, """
                listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
                audit: { sinks: [ { type: otlp, endpoint: "%s" } ], findings: every, queueCapacity: 300 }
                """.formatted(mongos.address(), collector.endpoint()), "-Xmx256m");
    }
}
