package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.tests.support.AuditFile;
import io.scatterguard.tests.support.Broadcasts;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ServeProcess;
import io.scatterguard.tests.support.ServeProcess.AuditCounts;
import io.scatterguard.tests.support.SinkMongos;
import io.scatterguard.tests.support.TinyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The audit log of a real process under load, when its disk is full, its file is moved away, it is told to end or is killed:
 * what was lost is what was counted as dropped, and the traffic went on.
 */
class AuditLossTest {
    private static final int CLIENTS = 4;

    @TempDir
    Path folder;

    private SinkMongos mongos;
    private Path logs;
    private Path file;

    @BeforeEach
    void startServer() throws IOException {
        mongos = SinkMongos.start(CatalogDocuments.shop());
        logs = Files.createDirectory(folder.resolve("logs"));
        file = logs.resolve("audit.jsonl");
    }

    @AfterEach
    void stopServer() {
        mongos.close();
    }

    private ServeProcess serve() {
        return ServeProcess.start(folder, """
                listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
                audit: { sinks: [ { type: file, path: "%s" } ], findings: every }
                """.formatted(mongos.address(), file), "-Xmx256m");
    }

    /** Of the one sink, as the status command shows it. */
    private static long sink(RawClient client, String field) {
        BsonDocument status = client.adminCommand("scatterguard");
        return status.getArray("sinks").get(0).asDocument().getNumber(field).longValue();
    }

    @Test
    void aFullDisk() throws Exception {
        Optional<TinyDisk> mounted = TinyDisk.mount(logs, 512);
        assumeThat(mounted)
                .as("a file system of 512 KiB (this process must be allowed to mount one)")
                .isPresent();
        try (TinyDisk disk = mounted.get();
                ServeProcess process = serve();
                RawClient status = RawClient.connect(process.port());
                Broadcasts load = Broadcasts.start(process.port(), CLIENTS)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> sink(status, "dropped") > 0);
            load.awaitMore(5_000);
            disk.resize(1 << 18);
            long before = sink(status, "written");
            await().atMost(Duration.ofSeconds(60)).until(() -> sink(status, "written") > before + 1_000);
            long answered = load.stop();
            AuditCounts counted = process.terminateCounting();

            AuditFile log = AuditFile.read(List.of(file));
            print("full disk", answered, log, counted);
            assertThat(load.failures()).isEmpty();
            assertThat(log.problems()).isEmpty();
            assertThat(log.last())
                    .as("each command answered is a record or in a gap")
                    .isEqualTo(answered);
            assertThat(log.records()).isEqualTo(counted.recorded());
            assertThat(log.missing()).isEqualTo(counted.dropped()).isPositive();
        }
    }

    @Test
    void aFileThatIsMovedAway() throws Exception {
        List<Path> moved = new ArrayList<>();
        try (ServeProcess process = serve();
                Broadcasts load = Broadcasts.start(process.port(), CLIENTS)) {
            for (int i = 0; i < 10; i++) {
                load.awaitMore(500);
                await().until(() -> Files.exists(file));
                moved.add(Files.move(file, folder.resolve("moved" + i)));
            }
            load.awaitMore(500);
            long answered = load.stop();
            AuditCounts counted = process.terminateCounting();

            moved.add(file);
            AuditFile log = AuditFile.read(moved);
            print("file moved away", answered, log, counted);
            assertThat(load.failures()).isEmpty();
            assertThat(log.problems()).isEmpty();
            assertThat(log.records()).isEqualTo(answered).isEqualTo(counted.recorded());
            assertThat(counted.dropped()).isZero();
        }
    }

    @Test
    void sigterm() throws Exception {
        try (ServeProcess process = serve();
                Broadcasts load = Broadcasts.start(process.port(), CLIENTS)) {
            load.awaitMore(5_000);
            AuditCounts counted = process.terminateCounting();
            long answered = load.stop();

            AuditFile log = AuditFile.read(List.of(file));
            print("SIGTERM", answered, log, counted);
            assertThat(log.problems()).isEmpty();
            assertThat(log.records()).as("what was answered was recorded").isGreaterThanOrEqualTo(answered);
            assertThat(log.records()).isEqualTo(counted.recorded()).isLessThanOrEqualTo(answered + CLIENTS);
            assertThat(counted.dropped()).isZero();
        }
    }

    @Test
    void sigkill() throws Exception {
        try (ServeProcess process = serve();
                Broadcasts load = Broadcasts.start(process.port(), CLIENTS)) {
            Deque<long[]> samples = new ArrayDeque<>();
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> {
                        samples.add(new long[] {System.nanoTime(), load.answered()});
                        return load.answered() > 5_000 && samples.size() > 300;
                    });
            process.kill();
            long killed = samples.getLast()[0];
            long answered = load.stop();
            long aSecondBefore = samples.stream()
                    .filter(sample -> sample[0] <= killed - 1_000_000_000L)
                    .mapToLong(sample -> sample[1])
                    .max()
                    .orElseThrow();

            AuditFile log = AuditFile.read(List.of(file));
            print("SIGKILL", answered, log, new AuditCounts(-1, -1));
            assertThat(log.problems()).isEmpty();
            assertThat(log.missing()).isZero();
            assertThat(log.records()).as("at most the last second is missing").isGreaterThanOrEqualTo(aSecondBefore);
        }
    }

    /** For whoever reads the output of the build. */
    private static void print(String what, long answered, AuditFile log, AuditCounts counted) {
        System.out.printf(
                "audit under load, %s: answered=%d records=%d inGaps=%d countedRecorded=%d countedDropped=%d%n",
                what, answered, log.records(), log.missing(), counted.recorded(), counted.dropped());
    }
}
