package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObservationConfigTest {
    private static final String MINIMAL = "listeners: [{upstream: {hosts: [a]}}]\n";
    private static final String TOKEN = "0123456789abcdef";

    private static ObservationConfig read(String yaml) {
        return ConfigReader.read(MINIMAL + yaml, Map.of("TOKEN", TOKEN)).observation();
    }

    private static String rejection(String yaml) {
        return catchThrowableOfType(ConfigException.class, () -> read(yaml)).getMessage();
    }

    @Test
    void nothingListensUnlessItIsAskedFor() {
        assertThat(read("")).isEqualTo(ObservationConfig.STANDARD);
        assertThat(read("admin:\nhealth:\n")).isEqualTo(ObservationConfig.STANDARD);
    }

    @Test
    void anEmptySectionTurnsTheApiOnAtALoopbackAddress() {
        ObservationConfig.Admin admin = read("admin: {}").admin();

        assertThat(admin).isEqualTo(new ObservationConfig.Admin(new HostAndPort("127.0.0.1", 19_127), null));
        assertThat(admin.guardsReading()).isFalse();
    }

    @Test
    void readsEveryKey() {
        ObservationConfig read = read("""
                metrics: {topNamespaces: 7}
                health: {bind: "0.0.0.0:1", maxCatalogAge: 5m}
                admin: {bind: "0.0.0.0:2", token: "${TOKEN}"}
                """);

        assertThat(read.topNamespaces()).isEqualTo(7);
        assertThat(read.health())
                .isEqualTo(new ObservationConfig.Health(new HostAndPort("0.0.0.0", 1), Duration.ofMinutes(5)));
        assertThat(read.admin().token().reveal()).isEqualTo(TOKEN);
        assertThat(read.admin().guardsReading()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.7.6", "localhost", "::1"})
    void onlyThisMachineReachesALoopbackAddress(String host) {
        assertThat(new HostAndPort(host, 1).isLoopback()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example.com", "1270.0.0.1", "localhost.example.com"})
    void anybodyMayReachAnyOther(String host) {
        assertThat(new HostAndPort(host, 1).isLoopback()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "admin: {bind: '0.0.0.0:1'} # admin.token: missing, and 0.0.0.0:1 is no loopback address"
                        + " (expected: a token, or bind 127.0.0.1:port)",
                "admin: {bind: '0.0.0.0:1', token: short} # admin.token: not a token"
                        + " (expected: 16..1000 visible ASCII characters; best as ${file:path})",
                "admin: {token: 'with a space in its middle'} # admin.token: not a token"
                        + " (expected: 16..1000 visible ASCII characters; best as ${file:path})",
                "metrics: {topNamespaces: -1} # metrics.topNamespaces: -1 (expected: 0..1000)",
                "metrics: {topNamespaces: 1001} # metrics.topNamespaces: 1001 (expected: 0..1000)",
                "health: {bind: 'a:1', maxCatalogAge: 0s} # health.maxCatalogAge: 0s (expected: 1s..365d)",
                "{health: {bind: '127.0.0.1:1'}, admin: {bind: '127.0.0.1:1'}} # health.bind: the same as admin.bind"
                        + " (expected: another port; admin shows health and metrics too)",
            })
    void saysWhatIsWrong(String yaml, String expected) {
        String lines =
                yaml.startsWith("{") ? yaml.substring(1, yaml.length() - 1).replace("}, admin", "}\nadmin") : yaml;
        assertThat(rejection(lines))
                .contains(expected)
                .contains("1 error\n")
                .doesNotContain("short")
                .doesNotContain("middle");
    }
}
