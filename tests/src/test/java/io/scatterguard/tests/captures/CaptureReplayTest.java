package io.scatterguard.tests.captures;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.tests.fuzz.wire.Parts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A recorded run through the proxy, both of its sides played: every byte arrives as it was sent. */
@ExtendWith(BlockHoundExtension.class)
class CaptureReplayTest {
    private static final int LONGEST_PART_BYTES = 200;

    private static final String CONFIG = """
            cluster: test
            listeners:
              - bind: 127.0.0.1:0
                upstream: { kind: mongos, hosts: ["%s"] }
            policy:
              mode: %s
              rules:
                - name: no-broadcast
                  match: { namespace: "elsewhere.*", shape: scatterGather }
                  action: refuse
            audit: { sinks: [], record: routed }
            """;

    private static Stream<Arguments> runs() {
        return Capture.NAMES.stream()
                .map(Capture::read)
                .flatMap(capture -> Stream.of("observe", "enforce")
                        .map(mode -> Arguments.argumentSet(capture + " " + mode, capture, mode)));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void everyByteArrivesAsItWasSent(Capture capture, String mode) throws Exception {
        play(capture, mode);
    }

    @ParameterizedTest
    @MethodSource("runs")
    void soItDoesInSmallParts(Capture capture, String mode) throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        play(capture.recut(read -> Parts.random(read.get(0), LONGEST_PART_BYTES, random)), mode);
    }

    private static void play(Capture capture, String mode) throws IOException, InterruptedException {
        try (ScriptedMongos metadata = ScriptedMongos.start();
                ReplayedServer server = ReplayedServer.start(metadata)) {
            String yaml = CONFIG.formatted(server.address(), mode);
            try (ProxyRuntime proxy = ProxyRuntime.start(ConfigReader.read(yaml, Map.of()), RuntimeParts.standard());
                    Replay replay = new Replay(capture, proxy.address(), server)) {
                replay.play();
                assertThat(replay.messages())
                        .isGreaterThan(capture.connections().size());
                assertThat(proxy.counters().forwardedRequests()).isEqualTo(replay.messages());
                assertThat(proxy.counters().internalErrorCount()).isZero();
            }
        }
    }
}
