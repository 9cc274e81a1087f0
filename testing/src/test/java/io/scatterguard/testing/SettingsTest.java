package io.scatterguard.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.testing.samples.SharingSamples;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the attributes of the annotation do. */
class SettingsTest {
    private static final Path BASELINE = Path.of("target/sample-baseline.yaml");

    @Scatterguard(rules = "r", upstream = "mongodb://annotated")
    private static final class Annotated {}

    @Scatterguard(rules = "r")
    private static final class Open {}

    private static String upstream(Class<?> type, Map<String, String> properties, Map<String, String> environment) {
        return ProxySettings.of(
                        type.getAnnotation(Scatterguard.class),
                        new HashMap<>(properties)::get,
                        new HashMap<>(environment)::get)
                .upstream();
    }

    @Test
    void theUpstreamIsTheAnnotationsElseThePropertysElseTheEnvironments() {
        Map<String, String> property = Map.of("scatterguard.upstream", "mongodb://property");
        Map<String, String> environment = Map.of("SCATTERGUARD_UPSTREAM", "mongodb://environment");

        assertThat(upstream(Annotated.class, property, environment)).isEqualTo("mongodb://annotated");
        assertThat(upstream(Open.class, property, environment)).isEqualTo("mongodb://property");
        assertThat(upstream(Open.class, Map.of(), environment)).isEqualTo("mongodb://environment");
        assertThat(upstream(Open.class, Map.of("scatterguard.upstream", ""), Map.of()))
                .isEmpty();
    }

    @Test
    void equalSettingsShareAProxyWhichEndsWithTheRun() {
        SampleRun run = SampleRun.of("SharingSamples$One", "SharingSamples$Equal", "SharingSamples$Other");

        assertThat(run.failedTests()).isEmpty();
        Map<String, String> uris = SharingSamples.URIS;
        assertThat(uris.get("Equal")).isEqualTo(uris.get("One") + "shop");
        assertThat(uris.get("Other")).isNotEqualTo(uris.get("One"));
        assertThat(List.of(uris.get("One"), uris.get("Other")))
                .allSatisfy(uri -> assertThatThrownBy(() -> new Socket(
                                        InetAddress.getLoopbackAddress(),
                                        URI.create(uri).getPort())
                                .close())
                        .isInstanceOf(ConnectException.class));
    }

    @Test
    void whatIsInTheBaselineFailsOnlyWhoAsksForIt() throws IOException {
        Files.createDirectories(BASELINE.getParent());
        Files.writeString(BASELINE, "baseline: []\n");
        Throwable failure = SampleRun.of("SettingsSamples$Known").failedTests().get("broadcasts(String)");
        String id = ((ScatterguardError) failure).ids().get(0);
        Files.writeString(BASELINE, "baseline:\n  - { id: " + id + ", owner: tests, until: 2999-12-31 }\n");

        SampleRun known = SampleRun.of("SettingsSamples$Known");
        assertThat(known.failedTests()).isEmpty();
        assertThat(known.published().get("broadcasts(String)")).contains(id + " known scatter-gather");
        assertThat(SampleRun.of("SettingsSamples$KnownAndFailing").failedTests().get("broadcasts(String)"))
                .hasMessageContaining(id + " known scatter-gather");
    }

    @Test
    void whoFailsOnNothingHasItPublished() {
        SampleRun run = SampleRun.of("SettingsSamples$Lenient");

        assertThat(run.failedTests()).isEmpty();
        assertThat(run.published().get("broadcasts(String)")).contains("new scatter-gather shop.orders find");
    }

    @Test
    void whatIsEnforcedIsRefused() {
        SampleRun run = SampleRun.of("SettingsSamples$Enforcing");

        assertThat(run.failedTests()).isEmpty();
        assertThat(run.published().get("isRefused(String)")).contains("refused or to be refused 1");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(SampleRun.of("SettingsSamples$NoRules").failedClasses().values())
                .singleElement()
                .satisfies(
                        failure -> assertThat(failure)
                                .hasMessageStartingWith(
                                        "no proxy for @Scatterguard: @Scatterguard.rules: \"no-such-rules.yaml\" (expected: a file"));
        assertThat(SampleRun.of("SettingsSamples$NoDatabase").failedClasses().values())
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageContaining("127.0.0.1:1"));
    }

    @Test
    void whatWasNotJudgedIsSaid() {
        SampleRun run = SampleRun.of("SettingsSamples$WithoutRule", "SettingsSamples$NotConnected");

        assertThat(run.failedTests()).isEmpty();
        assertThat(run.published().get("SettingsSamples$WithoutRule"))
                .contains("without a sharding rule, and so not judged: shop.settings (1)");
        assertThat(run.published().get("SettingsSamples$NotConnected"))
                .contains("no command came through the proxy (does the application connect to it?)");
        assertThat(run.printed().lines())
                .contains(
                        "scatterguard: SettingsSamples.WithoutRule: without a sharding rule, and so not judged: shop.settings (1)",
                        "scatterguard: SettingsSamples.NotConnected: no command came through the proxy"
                                + " (does the application connect to it?)");
    }

    @Test
    void aFileIsLookedForInTheWorkingDirectoryThenOnTheClassPath() throws IOException {
        assertThat(TestFile.find("rules", "")).isNull();
        assertThat(TestFile.find("rules", "pom.xml")).hasFileName("pom.xml").exists();
        assertThat(TestFile.find("rules", "orders-rules.yaml")).exists();
        // Within a jar.
        assertThat(TestFile.find("rules", "org/assertj/core/api/Assertions.class"))
                .exists();
        assertThatThrownBy(() -> TestFile.find("baseline", "nothing.yaml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@Scatterguard.baseline: \"nothing.yaml\"");
    }
}
