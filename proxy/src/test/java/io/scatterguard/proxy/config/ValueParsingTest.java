package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueParsingTest {
    @ParameterizedTest
    @CsvSource({"0s, 0", "500ms, 500", "30s, 30000", "5m, 300000", "1h, 3600000", "2d, 172800000", "1500ms, 1500"})
    void durations(String text, long millis) {
        Duration duration = Quantities.duration(text);

        assertThat(duration).isEqualTo(Duration.ofMillis(millis));
        assertThat(Quantities.text(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-1s", "1.5s", "1S", "1 w", "1s ", "1h30m", "999999999999999999d", "٣s"})
    void wrongDurations(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantities.duration(text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "5, 5", "7B, 7", "64KiB, 65536", "100MiB, 104857600", "1GiB, 1073741824", "1 KiB, 1024"})
    void sizes(String text, long bytes) {
        assertThat(Quantities.bytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "KiB", "-1", "1KB", "1kib", "1.5MiB", "999999999999999999TiB", "0x10"})
    void wrongSizes(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantities.bytes(text));
    }

    @ParameterizedTest
    @CsvSource({
        "a:1, a, 1, a:1",
        "a, a, 9, a:9",
        "[::1]:2, ::1, 2, [::1]:2",
        "[::1], ::1, 9, [::1]:9",
        "1.2.3.4:0, 1.2.3.4, 0, 1.2.3.4:0"
    })
    void hosts(String text, String host, int port, String shown) {
        HostAndPort parsed = HostAndPort.parse(text, 9);

        assertThat(parsed).isEqualTo(new HostAndPort(host, port)).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ":1", "a:", "a:b", "a:65536", "::1", "a b:1", "mongodb://a:1", "u@a:1", "[a:1", "a:1/x"})
    void wrongHosts(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HostAndPort.parse(text, 9));
    }

    @Test
    void aHostNeedsItsPortWhereThereIsNoDefault() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostAndPort.parse("a", -1))
                .withMessage("\"a\" (expected: host:port)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "mongodb://h; mongodb://h",
                "mongodb://a:1,b/; mongodb://a:1,b/",
                "mongodb://[::1]:2/; mongodb://[::1]:2/",
                "mongodb://u:p%40@h/; mongodb://***@h/",
                "mongodb://u@h/db?x=y; mongodb://***@h/db?***",
                "mongodb+srv://u:p@h/?proxyPassword=p; mongodb+srv://***@h/?***"
            })
    void connectionStringsHideTheirSecrets(String uri, String shown) {
        assertThat(SecretUri.of(uri)).hasToString(shown);
        assertThat(SecretUri.of(uri).reveal()).isEqualTo(uri);
    }

    /** Where the credentials end could not be told, and so not what to hide. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "h:27017",
                "http://h/",
                "mongodb://",
                "mongodb://u:se@cret@h/",
                "mongodb://u:se/cret@h/",
                "mongodb://u:se?cret@h/",
                "mongodb://u:se#cret@h/",
                "mongodb://u:p@h/?a=b@secret",
                "mongodb://u:p@"
            })
    void ambiguousConnectionStringsAreRejectedWithoutRepeatingThem(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretUri.of(uri))
                .withMessageNotContaining("cret")
                .withMessageStartingWith("not a connection string (expected: ");
    }

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "${A}, 1",
        "x${A}y${B}z, x1y${A}z",
        "$${A}, ${A}",
        "$A {A} $, $A {A} $",
        "$$${A}, $${A}",
        "a}b, a}b",
    })
    void references(String text, String expected) {
        Expansion expansion = new Expansion(Map.of("A", "1", "B", "${A}"), Path.of(""));

        assertThat(expansion.expand(text)).isEqualTo(expected);
        assertThat(expansion.toString()).doesNotContain("{A=");
    }

    @ParameterizedTest
    @CsvSource({
        "mod, mode",
        "Mode, mode",
        "mdoe, mode",
        "onIntrnalError, onInternalError",
        "mode, mode",
        "m, ",
        "xyz, ",
        "rulesrules, "
    })
    void theNearestNameIsFound(String name, String expected) {
        assertThat(NearestName.of(name, List.of("mode", "rules", "onInternalError"))
                        .orElse(null))
                .isEqualTo(expected);
    }
}
