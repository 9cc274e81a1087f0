package io.scatterguard.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.testing.samples.FaultSamples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong, what was found is somebody's, and a proxy that misses commands is no success. */
class FaultTest {
    @Test
    void aFaultOfTheProxyFailsTheClassBesidesItsFindings() {
        SampleRun run = SampleRun.of("FaultSamples$FaultyAndBroadcasting");

        assertThat(run.failedTests()).isEmpty();
        assertThat(run.failedClasses().values()).singleElement().satisfies(failure -> {
            assertThat(failure).isInstanceOf(ScatterguardError.class).hasMessageContaining("fixture: ?number");
            assertThat(failure.getSuppressed())
                    .singleElement()
                    .satisfies(fault -> assertThat(fault)
                            .hasMessage(
                                    "FaultSamples.FaultyAndBroadcasting: 1 commands could not be judged or recorded,"
                                            + " so that findings may be missing (see the log)"));
        });
    }

    @Test
    void aFaultOfTheProxyFailsATestThatIsAloneInFrontOfIt() {
        Map<String, Throwable> failed =
                SampleRun.of("FaultSamples$FaultyOnMethods").failedTests();

        assertThat(failed).containsOnlyKeys("clean(String)", "broadcasts(String)");
        assertThat(failed.get("clean(String)"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("FaultSamples.FaultyOnMethods.clean: 1 commands could not be judged");
        assertThat(failed.get("broadcasts(String)")).isInstanceOf(ScatterguardError.class);
        assertThat(failed.get("broadcasts(String)").getSuppressed()).hasSize(1);
    }

    @Test
    void aTestThatLeavesItsThreadInterruptedHasItsFindings() {
        int before = FaultSamples.stillInterrupted();
        SampleRun run = SampleRun.of("FaultSamples$Interrupted");

        assertThat(run.failedTests()).containsOnlyKeys("broadcastsAndIsInterrupted(String)");
        assertThat(run.failedTests().get("broadcastsAndIsInterrupted(String)")).isInstanceOf(ScatterguardError.class);
        assertThat(run.failedClasses()).isEmpty();
        assertThat(FaultSamples.stillInterrupted()).isEqualTo(before + 1);
    }

    @Test
    void whatNoTestAndNoClassCanFailForIsPrinted() {
        SampleRun run = SampleRun.of("FaultSamples$BroadcastAfterwards");

        assertThat(run.failedClasses()).isEmpty();
        assertThat(run.printed())
                .contains("scatterguard: 1 finding after the last test:")
                .contains("late: ?number");
        assertThat(SampleRun.of("LifeCycleSamples$BroadcastAfterAll").printed()).doesNotContain("after the last test");
    }

    @Test
    void aProxyThatCannotBeStartedIsTriedOnce() {
        SampleRun run = SampleRun.of("SettingsSamples$NoDatabase", "SettingsSamples$NoDatabaseEither");

        List<Throwable> failures = List.copyOf(run.failedClasses().values());
        assertThat(failures)
                .hasSize(2)
                .allSatisfy(failure -> assertThat(failure)
                        .hasMessageStartingWith("no proxy for @Scatterguard: ")
                        .hasNoSuppressedExceptions());
        assertThat(failures.get(0)).isNotSameAs(failures.get(1));
        assertThat(failures.get(0).getCause()).isSameAs(failures.get(1).getCause());
    }
}
