package io.scatterguard.testing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;
import org.junit.platform.testkit.engine.Events;

/** What came of running sample classes as JUnit runs them. */
final class SampleRun {
    private static final String SAMPLES = "io.scatterguard.testing.samples.";

    private final EngineExecutionResults results;

    private final String printed;

    private SampleRun(EngineExecutionResults results, String printed) {
        this.results = results;
        this.printed = printed;
    }

    /** @param names of classes below {@code samples}, like {@code SettingsSamples$Known} */
    static SampleRun of(String... names) {
        return of(Map.of("junit.jupiter.execution.parallel.enabled", "false"), names);
    }

    static SampleRun of(Map<String, String> configuration, String... names) {
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                    .selectors(Arrays.stream(names)
                            .map(name -> DiscoverySelectors.selectClass(SAMPLES + name))
                            .toArray(org.junit.platform.engine.DiscoverySelector[]::new))
                    .configurationParameters(configuration)
                    .execute();
            return new SampleRun(results, printed.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(before);
            before.print(printed.toString(StandardCharsets.UTF_8));
        }
    }

    /** What it printed to the standard error. */
    String printed() {
        return printed;
    }

    /** What failed each test; of those that succeeded, the name alone is missing. */
    Map<String, Throwable> failedTests() {
        return failures(results.testEvents());
    }

    /** Likewise of classes. */
    Map<String, Throwable> failedClasses() {
        return failures(results.containerEvents());
    }

    /** How many tests succeeded. */
    long succeeded() {
        return results.testEvents().succeeded().count();
    }

    /** What was published, by the name of the test or class. */
    Map<String, String> published() {
        Map<String, String> published = new TreeMap<>();
        for (Event event : results.allEvents().list()) {
            if (event.getType() == EventType.REPORTING_ENTRY_PUBLISHED) {
                String text = event.getRequiredPayload(org.junit.platform.engine.reporting.ReportEntry.class)
                        .getKeyValuePairs()
                        .get("scatterguard");
                published.merge(event.getTestDescriptor().getDisplayName(), text, (a, b) -> a + "\n" + b);
            }
        }
        return published;
    }

    private static Map<String, Throwable> failures(Events events) {
        Map<String, Throwable> failures = new TreeMap<>();
        List<Event> failed = events.failed().list();
        for (Event event : failed) {
            TestExecutionResult result = event.getRequiredPayload(TestExecutionResult.class);
            failures.put(
                    event.getTestDescriptor().getDisplayName(),
                    result.getThrowable().orElseThrow());
        }
        return failures;
    }
}
