package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import io.scatterguard.proxy.findings.KnownShape;
import io.scatterguard.proxy.findings.Tally;
import io.scatterguard.proxy.policy.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which commands the table of shapes is told of: all that have a record, or stand in a count, and no others. */
class CountedShapesTest {
    private AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 10));

    @AfterEach
    void stop() {
        pipeline.close();
    }

    private void use(Recording recording, Findings findings, int capacity) {
        pipeline.close();
        pipeline = Given.pipeline(
                new AuditSettings("staging-eu", "proxy-1", recording, findings, capacity, Duration.ofSeconds(5)));
    }

    private void pass(String json, Verdict verdict) {
        CommandView command = Given.command(json);
        Auditor.PendingRecord record = pipeline.begin(command, Given.broadcast(), verdict, Given.SOURCE);
        if (record != null) {
            pipeline.end(record, Given.ANSWERED);
        }
    }

    static Stream<Arguments> settings() {
        return Stream.of(
                Arguments.of(Recording.FINDINGS, Findings.SAMPLED, 4),
                Arguments.of(Recording.FINDINGS, Findings.EVERY, 4),
                Arguments.of(Recording.ROUTED, Findings.EVERY, 5),
                Arguments.of(Recording.ALL, Findings.EVERY, 5));
    }

    /** Without any sink. */
    @ParameterizedTest
    @MethodSource("settings")
    void whatIsRecordedOrSampledIsCounted(Recording recording, Findings findings, int commands) {
        use(recording, findings, 1);
        for (Verdict verdict : List.of(Given.LOGGED, Given.LOGGED, Given.REFUSED, Given.EXEMPTED, Given.ALLOWED)) {
            pass("{find: 'orders', filter: {userId: 1}, comment: 'test:Orders#list other'}", verdict);
        }
        pass("{createUser: 'eve', pwd: 'secret'}", Given.LOGGED);

        List<KnownShape> shapes = pipeline.shapes().list().shapes();
        assertThat(shapes).hasSize(1);
        KnownShape shape = shapes.get(0);
        long micros = Given.ANSWERED.serverMicros();
        assertThat(shape.tally())
                .isEqualTo(new Tally(
                        commands,
                        4,
                        1,
                        0,
                        1,
                        new Tally.Times(commands * micros, 3 * micros * commands),
                        new Tally.Times(4 * micros, 12 * micros)));
        assertThat(shape.subject().namespace().fullName()).isEqualTo("shop.orders");
        assertThat(shape.subject().shapeText()).startsWith("find {filter: {userId: ?number}}");
        assertThat(shape.last().destination().missing()).containsExactly("region");
        assertThat(shape.clients().apps().names()).containsExactly("checkout");
        assertThat(shape.clients().tests().names()).containsExactly("Orders#list");
    }

    @Test
    void whatIsDroppedIsCountedAllTheSame() throws Exception {
        pipeline.close();
        AuditPipelineTest.GatedSink sink = new AuditPipelineTest.GatedSink();
        pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 1), sink);
        pass("{find: 'orders', filter: {userId: 1}}", Given.LOGGED);
        sink.entered.await();
        for (int i = 0; i < 99; i++) {
            pass("{find: 'orders', filter: {userId: 1}}", Given.LOGGED);
        }
        sink.gate.countDown();

        assertThat(pipeline.shapes().list().total().findings()).isEqualTo(100);
        pipeline.close();
        assertThat(pipeline.dropped()).isPositive();
    }

    @Test
    void aHandshakeHasNoShape() {
        use(Recording.ALL, Findings.EVERY, 10);
        pipeline.end(
                pipeline.begin(
                        Given.command("{hello: 1, speculativeAuthenticate: {saslStart: 1}}"),
                        Given.notRouted("admin"),
                        Given.ALLOWED,
                        Given.SOURCE),
                Given.ANSWERED);

        KnownShape hello = pipeline.shapes().list().shapes().get(0);
        assertThat(hello.subject().command()).isEqualTo("hello");
        assertThat(hello.subject().shapeText()).isNull();
        assertThat(hello.last().destination().placement()).isNull();
        assertThat(hello.tally().times().shardMicros()).isZero();
    }
}
