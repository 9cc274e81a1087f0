package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.metrics.BoundedTable;
import io.scatterguard.tests.support.AuditFile;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.DistinctCommands;
import io.scatterguard.tests.support.MemoryFigures;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Repository;
import io.scatterguard.tests.support.Scraped;
import io.scatterguard.tests.support.SinkMongos;
import io.scatterguard.tests.support.WireFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * S27 (mongodb_exporter #746), the whole proxy: very many commands, a tenth as many distinct shapes and namespaces, as many
 * comments, tags and sessions, and memory, labels, tables and queues stay within what the manual states. How many is set by
 * {@code -Dscatterguard.flood}; the profile {@code full} sends a million commands of 100,000 shapes.
 */
class S27BoundedMemoryTest {
    private static final int COMMANDS = Integer.getInteger("scatterguard.flood", 100_000);
    private static final int ROUNDS = 10;
    private static final int CLIENTS = 4;
    /** So small that records are dropped now and then. */
    private static final int QUEUE = 100;
    /** What remembering less than everything may add after the first tenth: 18 bytes for each of a million commands. */
    private static final long HEAP_SLACK_BYTES = 16L << 20;

    private static final int REFUSED = 61_001;
    private static final Pattern HEAP =
            Pattern.compile("takes at most \\*\\*(\\d+) MiB\\*\\* of heap for what it remembers of commands");
    private static final Pattern SERIES = Pattern.compile("stays below \\*\\*([0-9,]+)\\*\\*");

    private static final String CONFIG = """
            listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
            catalog: { refresh: 1h }
            audit: { sinks: [ { type: file, path: "%s", maxBytes: 10GiB } ], record: findings, findings: sampled, queueCapacity: %d }
            health: { bind: "127.0.0.1:0" }
            """ + DistinctCommands.POLICY;

    @TempDir
    private Path folder;

    private final DistinctCommands commands = new DistinctCommands(COMMANDS / ROUNDS);
    /** Without Netty's records of every access, which take most of the time: what is not released shows in its figures. */
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);

    private final AtomicInteger refused = new AtomicInteger();
    private SinkMongos mongos;
    private ProxyUnderTest proxy;
    private Path file;

    @BeforeEach
    void start() {
        mongos = SinkMongos.start(CatalogDocuments.shop());
        file = folder.resolve("audit.jsonl");
        proxy = ProxyUnderTest.of(
                CONFIG.formatted(mongos.address(), file, QUEUE),
                RuntimeParts.standard().withAllocator(allocator));
    }

    @AfterEach
    void stop() {
        proxy.close();
        mongos.close();
        assertThat(allocator.metric().usedDirectMemory() + allocator.metric().usedHeapMemory())
                .as("bytes of buffers when everything has ended")
                .isZero();
    }

    /** What is held at one time. */
    private record Held(MemoryFigures memory, Scraped metrics) {
        double entries(BoundedTable table) {
            return metrics.sum("scatterguard_table_entries", "table=\"" + table.text() + "\"");
        }

        double capacity(BoundedTable table) {
            return metrics.sum("scatterguard_table_capacity", "table=\"" + table.text() + "\"");
        }
    }

    @Test
    void whateverIsSentEverythingStaysWithinItsBounds() throws Exception {
        MemoryFigures before = MemoryFigures.of(allocator);
        send(0, COMMANDS / ROUNDS);
        Held early = held();
        send(COMMANDS / ROUNDS, COMMANDS);
        Held late = held();
        print(before, early, late);

        assertThat(refused.get()).isEqualTo(expected(DistinctCommands.Kind.TRANSACTION));
        assertThat(proxy.runtime().counters().internalErrorCount()).isZero();
        assertThat(late.metrics().sum("scatterguard_findings_total")).isEqualTo(COMMANDS);
        assertThat(late.metrics().series()).isEqualTo(early.metrics().series());
        assertThat((long) late.metrics().series().size()).isLessThan(documented("docs/metrics.md", SERIES));
        for (BoundedTable table : BoundedTable.values()) {
            assertThat(late.entries(table)).as(table.text()).isPositive().isLessThanOrEqualTo(late.capacity(table));
        }
        assertThat(late.memory().heapBytes() - before.heapBytes())
                .isLessThan(documented("docs/metrics.md", HEAP) << 20);
        assertThat(late.memory().heapBytes()).isLessThan(early.memory().heapBytes() + HEAP_SLACK_BYTES);
        assertThat(late.memory().bufferBytes()).isLessThanOrEqualTo(before.bufferBytes());
        queuesStayedWithinTheirRoom(late.metrics());
        whatWasDroppedWasCounted();
    }

    /** Of the sampled findings' counts there is always room for those of one minute. */
    private static void queuesStayedWithinTheirRoom(Scraped metrics) {
        assertThat(metrics.sum("scatterguard_audit_peak_records"))
                .isPositive()
                .isLessThanOrEqualTo(QUEUE + AuditPipeline.maxSampledKeys() + 1);
        assertThat(metrics.sum("scatterguard_audit_sink_peak_records", "sink=\"file\""))
                .isPositive()
                .isLessThanOrEqualTo(QUEUE);
    }

    private void whatWasDroppedWasCounted() throws IOException {
        AuditPipeline audit = proxy.runtime().audit();
        proxy.runtime().close();
        AuditFile log = AuditFile.read(List.of(file));
        System.out.printf(
                "S27: audit log: records=%,d inGaps=%,d countedDropped=%,d findings=%,d bytes=%,d%n",
                log.records(), log.missing(), audit.dropped(), log.findings(), Files.size(file));
        assertThat(log.problems()).isEmpty();
        assertThat(log.missing()).isEqualTo(audit.dropped());
        assertThat(log.records()).isEqualTo(audit.recorded());
        if (log.missing() == 0) {
            assertThat(log.findings()).isEqualTo(COMMANDS);
        } else {
            assertThat(log.findings()).isLessThan(COMMANDS);
        }
    }

    private int expected(DistinctCommands.Kind kind) {
        int count = 0;
        for (int i = 0; i < COMMANDS; i++) {
            count += commands.kind(i) == kind ? 1 : 0;
        }
        return count;
    }

    /** Sends the commands from {@code first} up to {@code end}, by some clients at once, each connection some of them. */
    private void send(int first, int end) throws Exception {
        AtomicInteger next = new AtomicInteger(first);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> {
                    int number = next.getAndAdd(DistinctCommands.A_CONNECTION);
                    while (number < end) {
                        converse(number, Math.min(DistinctCommands.A_CONNECTION, end - number));
                        number = next.getAndAdd(DistinctCommands.A_CONNECTION);
                    }
                    return null;
                }));
            }
            for (Future<?> client : running) {
                client.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private void converse(int number, int count) {
        try (RawClient client = proxy.rawClient().readingAhead()) {
            client.sendBytes(commands.hello(1, number));
            client.receive();
            client.sendBytes(commands.packet(2, number, count));
            for (int i = 0; i < count; i++) {
                WireFrame reply = client.receive();
                boolean isRefused = reply.body().getNumber("code").intValue() == REFUSED;
                boolean shouldBe = commands.kind(number + i) == DistinctCommands.Kind.TRANSACTION;
                if (reply.responseTo() != 2 + i || isRefused != shouldBe) {
                    throw new AssertionError(reply.body().toJson() + " (expected: the answer to " + (2 + i) + ")");
                }
                refused.addAndGet(isRefused ? 1 : 0);
            }
        }
    }

    /** Once all connections have ended and what waited for the sink is written. */
    private Held held() {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> proxy.runtime().counters().openConnections() == 0
                        && proxy.runtime().audit().waiting() == 0
                        && proxy.runtime().audit().sinks().get(0).waiting() == 0);
        Scraped metrics = Scraped.of(proxy.runtime().healthAddress());
        return new Held(MemoryFigures.of(allocator), metrics);
    }

    private static void print(MemoryFigures before, Held early, Held late) {
        System.out.printf(
                "S27: %,d commands of %,d shapes: before %s; after a tenth %s, %,d series; at the end %s, %,d series%n",
                COMMANDS,
                COMMANDS / ROUNDS,
                before,
                early.memory(),
                early.metrics().series().size(),
                late.memory(),
                late.metrics().series().size());
        for (BoundedTable table : BoundedTable.values()) {
            System.out.printf(
                    "S27: table %s: %,.0f entries after a tenth, %,.0f at the end (at most %,.0f)%n",
                    table.text(), early.entries(table), late.entries(table), late.capacity(table));
        }
        System.out.printf(
                "S27: queues of %,d: at most %,.0f waited to become lines, %,.0f for the file%n",
                QUEUE,
                late.metrics().sum("scatterguard_audit_peak_records"),
                late.metrics().sum("scatterguard_audit_sink_peak_records", "sink=\"file\""));
    }

    private static long documented(String page, Pattern pattern) throws IOException {
        Matcher matcher = pattern.matcher(
                Files.readString(Repository.root().resolve(page)).replace('\n', ' '));
        assertThat(matcher.find()).as(pattern.pattern()).isTrue();
        return Long.parseLong(matcher.group(1).replace(",", ""));
    }
}
