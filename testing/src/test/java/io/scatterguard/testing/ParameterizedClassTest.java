package io.scatterguard.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Classes that JUnit runs several times: each test's findings are its own, and what is around them is the class's. */
class ParameterizedClassTest {
    private static Throwable onlyClass(SampleRun run) {
        assertThat(run.failedTests()).isEmpty();
        assertThat(run.failedClasses()).hasSize(1);
        return run.failedClasses().values().iterator().next();
    }

    @Test
    void theTestThatBroadcastFailsInTheInvocationInWhichItDid() {
        SampleRun run = SampleRun.of("ParameterizedSamples$BroadcastInATest");

        Map<String, Throwable> failed = run.failedTests();
        assertThat(failed).containsOnlyKeys("finds(String)", "findsToo(String)");
        assertThat(failed.get("finds(String)"))
                .isInstanceOf(ScatterguardError.class)
                .hasMessageMatching(
                        "(?s)ParameterizedSamples\\.BroadcastInATest \\[2].*status.*\\.finds: 1 finding: .*");
        assertThat(run.succeeded()).isEqualTo(4);
        assertThat(run.failedClasses()).isEmpty();
        assertThat(run.published()).isEmpty();
    }

    @Test
    void whatIsBeforeAllFailsTheClass() {
        assertThat(onlyClass(SampleRun.of("ParameterizedSamples$BroadcastBeforeAll")))
                .isInstanceOf(ScatterguardError.class)
                .hasMessageStartingWith("ParameterizedSamples.BroadcastBeforeAll: 1 finding: ")
                .hasMessageContaining("fixture: ?number");
    }

    @Test
    void whatIsBetweenTwoInvocationsFailsTheClass() {
        Throwable failure = onlyClass(SampleRun.of("ParameterizedSamples$BroadcastBetween"));

        assertThat(failure)
                .hasMessageStartingWith("ParameterizedSamples.BroadcastBetween: 2 findings: ")
                .hasMessageContaining("before ParameterizedSamples.BroadcastBetween [2]")
                .hasMessageContaining("after the tests of ParameterizedSamples.BroadcastBetween:");
    }

    @Test
    void thatNoCommandCameIsSaidOnce() {
        SampleRun run = SampleRun.of("ParameterizedSamples$NotConnected");

        assertThat(run.published().values())
                .containsExactly("ParameterizedSamples.NotConnected: no command came through the proxy"
                        + " (does the application connect to it?)");
    }
}
