package io.scatterguard.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.Finding;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.TextReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** Sample classes in front of a proxy: which of their tests fail, and what is said of it. */
class ExtensionTest {
    private static ScatterguardError error(Throwable failure) {
        assertThat(failure).isInstanceOf(ScatterguardError.class).isInstanceOf(AssertionFailedError.class);
        return (ScatterguardError) failure;
    }

    @Test
    void theTestThatBroadcastFailsAndNoOther() {
        SampleRun run = SampleRun.of("OrdersSample");

        assertThat(run.failedTests())
                .containsOnlyKeys("broadcasts()", "failsByItself()", "failsByItselfAndIsClean()", "invocation 2");
        assertThat(run.succeeded()).isEqualTo(2);
        assertThat(run.failedClasses()).isEmpty();
    }

    @Test
    void theMessageNamesQueryReasonAndFixAndNoValue() {
        ScatterguardError error =
                error(SampleRun.of("OrdersSample").failedTests().get("broadcasts()"));

        assertThat(error.ids()).hasSize(1).allMatch(id -> id.matches("[0-9a-f]{16}"));
        Finding finding = error.findings().get(0);
        assertThat(finding.seen().times()).isEqualTo(2);
        assertThat(error.getMessage())
                .startsWith("OrdersSample.broadcasts: 1 finding: " + error.ids().get(0) + "\n\n")
                .contains(error.ids().get(0) + " new scatter-gather shop.orders find\n")
                .contains("find {filter: {status: ?string}")
                .contains("shard key: {customerId: 1}   ✗ customerId missing")
                .contains("3 of 3 shards, 2 times")
                .contains("why: " + finding.cause().why())
                .contains(report(finding))
                .contains("@AllowBroadcast(reason = ")
                .doesNotContain("secret-value");
        assertThat(finding.cause().why()).isNotEmpty();
    }

    /** Whatever a report says of a finding, the fix included where it is known. */
    private static String report(Finding finding) {
        Findings findings = new Findings(List.of(finding), new Findings.Totals(0, 0, 0));
        String text = TextReport.of(findings, Colours.OFF);
        return text.substring(0, text.indexOf("\n\n"));
    }

    @Test
    void aTestThatFailsByItselfKeepsItsOwnFailure() {
        Map<String, Throwable> failed = SampleRun.of("OrdersSample").failedTests();

        Throwable failure = failed.get("failsByItself()");
        assertThat(failure).hasMessage("of its own");
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(error(failure.getSuppressed()[0]).getMessage()).contains("{filter: {country: ?string}");

        assertThat(failed.get("failsByItselfAndIsClean()"))
                .hasMessage("of its own, clean")
                .hasNoSuppressedExceptions();
    }

    @Test
    void anInvocationOfATestIsNamed() {
        Throwable failure = SampleRun.of("OrdersSample").failedTests().get("invocation 2");

        assertThat(failure).hasMessageStartingWith("OrdersSample.byField invocation 2: 1 finding: ");
    }

    @Test
    void whatAfterEachSendsIsTheTests() {
        SampleRun run = SampleRun.of("OrdersSample$CleaningUp");

        assertThat(run.failedTests()).hasSize(6);
        assertThat(error(run.failedTests().get("clean()")).getMessage()).contains("{filter: {temporary: ?bool}");
        assertThat(error(run.failedTests().get("broadcasts()")).ids()).hasSize(2);
    }

    @Test
    void whatIsAllowedIsPublishedAndWhatIsNoLongerFails() {
        SampleRun run = SampleRun.of("AllowedSample");

        assertThat(run.failedTests())
                .containsOnlyKeys(
                        "noLonger(ScatterguardProxy)", "another(ScatterguardProxy)", "unreadable(ScatterguardProxy)");
        assertThat(run.failedTests().get("noLonger(ScatterguardProxy)"))
                .hasMessageContaining("no longer allowed: @AllowBroadcast(until last spring, until 2026-04-30)");
        assertThat(error(run.failedTests().get("another(ScatterguardProxy)")).ids())
                .hasSize(1);
        assertThat(run.failedTests().get("unreadable(ScatterguardProxy)"))
                .hasMessageContaining("@AllowBroadcast.until: \"31.12.2026\" (expected: a day like 2027-03-31)");
        assertThat(run.published().get("allowed(ScatterguardProxy)"))
                .startsWith("allowed: a nightly report, owner data-team, until 2999-12-31\n")
                .contains("new scatter-gather shop.orders find");
        assertThat(run.published().get("looksForIt(ScatterguardProxy)")).isNull();
    }

    @Test
    void whatRunsAroundTheTestsIsTheClasss() {
        SampleRun run = SampleRun.of(
                "LifeCycleSamples$BroadcastBeforeAll",
                "LifeCycleSamples$BroadcastAfterAll",
                "LifeCycleSamples$AllowedBeforeAll");

        assertThat(run.failedTests()).isEmpty();
        assertThat(run.succeeded()).isEqualTo(3);
        assertThat(run.failedClasses()).hasSize(2);
        List<String> messages =
                run.failedClasses().values().stream().map(Throwable::getMessage).toList();
        assertThat(messages)
                .anySatisfy(message -> assertThat(message)
                        .startsWith("LifeCycleSamples.BroadcastBeforeAll: 1 finding: ")
                        .contains("before LifeCycleSamples.BroadcastBeforeAll.clean, while no test ran:")
                        .contains("fixture: ?number"))
                .anySatisfy(message -> assertThat(message)
                        .startsWith("LifeCycleSamples.BroadcastAfterAll: 1 finding: ")
                        .contains("after the tests of LifeCycleSamples.BroadcastAfterAll:")
                        .contains("leftover: ?number"));
        assertThat(run.published().toString()).contains("allowed: fixtures are small");
    }

    @Test
    void anInstanceForAllTestsKnowsTheAddressWhenItIsMade() {
        SampleRun run = SampleRun.of("LifeCycleSamples$OneInstance");

        assertThat(run.failedTests()).isEmpty();
        assertThat(run.failedClasses()).isEmpty();
        assertThat(run.succeeded()).isEqualTo(1);
        assertThat(System.getProperty("scatterguard.uri")).isNull();
    }

    @Test
    void itMayStandOnOneTestAlone() {
        SampleRun run = SampleRun.of("LifeCycleSamples$OnMethods");

        assertThat(run.failedTests()).containsOnlyKeys("guarded()");
        assertThat(error(run.failedTests().get("guarded()")).ids()).hasSize(1);
    }

    @Test
    void theNearestAnnotationCounts() {
        SampleRun run = SampleRun.of("LifeCycleSamples$Around");

        assertThat(run.failedTests()).containsOnlyKeys("outer(String)", "inner(String)");
        assertThat(run.failedTests().get("inner(String)"))
                .hasMessageStartingWith("LifeCycleSamples.Around.Inside.inner: 1 finding: ");
        assertThat(run.succeeded()).isEqualTo(1);
    }
}
