package io.scatterguard.tests.apps.spring;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs suites of this package on the JUnit Platform: their simple names are the arguments. Ends with 1 if a test fails. */
public final class SuiteMain {
    private SuiteMain() {}

    public static void main(String[] suites) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(Arrays.stream(suites)
                                        .map(name -> DiscoverySelectors.selectClass(
                                                SuiteMain.class.getPackageName() + "." + name))
                                        .toList())
                                .build(),
                        summary);
        TestExecutionSummary result = summary.getSummary();
        System.out.println("tests: " + result.getTestsSucceededCount() + " of " + result.getTestsFoundCount());
        result.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 1);
        System.exit(result.getTotalFailureCount() == 0 && result.getTestsFoundCount() > 0 ? 0 : 1);
    }
}
