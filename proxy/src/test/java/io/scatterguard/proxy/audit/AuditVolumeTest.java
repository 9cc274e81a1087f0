package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How much the log grows by at 5,000 broadcasts a second, as the manual says. */
class AuditVolumeTest {
    private static final int A_SECOND = 5_000;
    private static final int SHAPES = 40;
    private static final int APPS = 5;
    private static final Pattern STATED =
            Pattern.compile("sampled: ([\\d.]+) MB an hour, every: ([\\d.]+) GB an hour, a record: (\\d+) bytes");

    private final SteppedClock clock = new SteppedClock();
    private final Given.MemorySink sink = new Given.MemorySink();

    /** Commands of a usual size: a filter of some fields, a sort and a limit. */
    private static List<CommandView> commands() {
        List<CommandView> commands = new ArrayList<>();
        for (int i = 0; i < SHAPES; i++) {
            commands.add(
                    Given.command(
                            "{find: 'orders', filter: {status: 'open', total" + i
                                    + ": {$gt: 5}, $or: [{customer: 'a'}, {partner: {$in: [1, 2, 3]}}]}, sort: {created: -1}, limit: 50}"));
        }
        return commands;
    }

    private AuditPipeline pipeline(Findings findings) {
        AuditSettings settings = new AuditSettings(
                "staging-eu", "proxy-1.example/4711", Recording.FINDINGS, findings, 1 << 20, Duration.ofSeconds(60));
        return AuditPipeline.start(
                settings,
                List.of(sink),
                route -> "the first field of the shard key, region, is not constrained",
                clock);
    }

    private static void broadcasts(AuditPipeline pipeline, int number) {
        List<CommandView> commands = commands();
        List<AuditSource> sources = new ArrayList<>();
        for (int i = 0; i < APPS; i++) {
            ClientInfo client = new ClientInfo("10.1.2.3:50412", "service-" + i, "nodejs 7.9.0", "Linux", "svc");
            sources.add(new AuditSource("0.0.0.0:27100", 1_000 + i, client, Given.NOW.toEpochMilli() - 1_250, null));
        }
        for (int i = 0; i < number; i++) {
            CommandView command = commands.get(i % SHAPES);
            AuditSource source = sources.get(i / SHAPES % APPS);
            pipeline.end(pipeline.begin(command, Given.broadcast(), Given.LOGGED, source), Given.ANSWERED);
        }
    }

    private long bytes() {
        return List.copyOf(sink.lines).stream().mapToLong(String::length).sum();
    }

    @Test
    void isWhatTheManualStates() throws IOException {
        AuditPipeline pipeline = pipeline(Findings.SAMPLED);
        broadcasts(pipeline, A_SECOND * 60);
        await().until(() -> sink.lines.size() == SHAPES * APPS);
        long examples = bytes();
        clock.pass(SampledFindings.COUNT_EVERY);
        await().until(() -> sink.lines.size() == 2 * SHAPES * APPS);
        long aMinute = bytes() - examples;
        pipeline.close();
        double megabytes = (examples + 60 * aMinute) / 1e6;
        double record = (double) examples / (SHAPES * APPS);
        System.out.printf(
                "audit volume at %,d broadcasts a second of %d shapes and %d applications: sampled: %.1f MB an hour"
                        + " (%,d B of examples, %,d B of counts a minute), a record: %.0f bytes%n",
                A_SECOND, SHAPES, APPS, megabytes, examples, aMinute, record);

        assertThat(megabytes).isCloseTo(stated(1), withinPercentage(20));
        assertThat(record).isCloseTo(stated(3), withinPercentage(20));
    }

    private static double stated(int group) throws IOException {
        Matcher stated = STATED.matcher(
                Files.readString(Path.of("..", "docs", "audit-log.md")).replace('\n', ' '));
        assertThat(stated.find()).as("the manual states it").isTrue();
        return Double.parseDouble(stated.group(group));
    }

    /** The neighbour: a second's worth is written, of which an hour has 3,600. */
    @Test
    void everyFindingIsARecordWhereThatIsAskedFor() throws IOException {
        AuditPipeline pipeline = pipeline(Findings.EVERY);
        broadcasts(pipeline, A_SECOND);
        pipeline.close();
        double gigabytes = bytes() * 3_600 / 1e9;
        System.out.printf("audit volume at %,d broadcasts a second: every: %.1f GB an hour%n", A_SECOND, gigabytes);

        assertThat(gigabytes).isCloseTo(stated(2), withinPercentage(20));
        assertThat(sink.lines).hasSize(A_SECOND);
        assertThat(pipeline.dropped()).isZero();
    }
}
