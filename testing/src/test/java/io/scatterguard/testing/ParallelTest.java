package io.scatterguard.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.testing.samples.ParallelSamples;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run in which everything may be at the same time: whose findings are whose stays certain. */
class ParallelTest {
    private static Map<String, String> concurrent(String executor) {
        return Map.of(
                "junit.jupiter.execution.parallel.enabled", "true",
                "junit.jupiter.execution.parallel.config.executor-service", executor,
                "junit.jupiter.execution.parallel.mode.default", "concurrent",
                "junit.jupiter.execution.parallel.mode.classes.default", "concurrent",
                "junit.jupiter.execution.parallel.config.strategy", "fixed",
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"FORK_JOIN_POOL", "WORKER_THREAD_POOL"})
    void testsInFrontOfAProxyRunOneAfterAnotherAndOthersDoNot(String executor) {
        SampleRun run = SampleRun.of(
                concurrent(executor),
                "ParallelSamples$Left",
                "ParallelSamples$Right",
                "ParallelSamples$OnMethods",
                "ParallelSamples$Others");

        assertThat(run.failedClasses()).isEmpty();
        // customerId on both sides, and the two others, each of which waits for the other one.
        assertThat(run.succeeded()).isEqualTo(4);
        assertThat(ParallelSamples.mostAtOnce()).isEqualTo(1);
        assertThat(run.failedTests().values())
                .hasSize(8)
                .allSatisfy(failure -> assertThat(((ScatterguardError) failure).findings())
                        .as(failure.getMessage())
                        .singleElement()
                        .satisfies(finding -> assertThat(finding.seen().times()).isEqualTo(1)));
        Stream.of("left1", "left2", "left3", "right1", "right2", "right3", "method1", "method2")
                .forEach(field -> assertThat(run.failedTests().values())
                        .as(field)
                        .filteredOn(failure -> failure.getMessage().contains("{filter: {" + field + ": "))
                        .hasSize(1));
    }

    /** Whatever else the lock may be kept from doing. */
    @Test
    void aTestThatBeginsWhileAnotherOneRunsFailsAndTheOtherKeepsItsFindings() {
        Guard guard = new Guard(new NoProxy());
        guard.begin("A.one");

        assertThatThrownBy(() -> guard.begin("B.two"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("B.two: began while A.one ran in front of the same proxy");
        guard.end();
        guard.begin("B.two");
    }

    private static final class NoProxy implements RunningProxy {
        private static final Findings NONE = new Findings(List.of(), new Findings.Totals(0, 0, 0));

        @Override
        public String uri(String database) {
            return "mongodb://127.0.0.1:1/" + database;
        }

        @Override
        public Findings findings() {
            return NONE;
        }

        @Override
        public Findings take() {
            return NONE;
        }

        @Override
        public Seen seen() {
            return new Seen(0, 0, Map.of());
        }

        @Override
        public void close() {}
    }
}
