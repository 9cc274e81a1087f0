package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineFileTest {
    private static final BaselineEntry WHOLE = new BaselineEntry(
            "00e7000000000012",
            "shop.orders",
            "find {filter: {\"a b\": ?number, c: [?string…]}, # no comment: ${x}",
            12,
            LocalDate.of(2026, 11, 30),
            "orders & co",
            LocalDate.of(2027, 3, 31));
    private static final BaselineEntry BARE = new BaselineEntry("1234567890123456", null, null, 0, null, null, null);

    @Test
    void whatIsWrittenIsReadBack() {
        List<BaselineEntry> entries = List.of(WHOLE, BARE);
        assertThat(BaselineFile.parse(BaselineFile.text(List.of("a head"), entries), "text"))
                .isEqualTo(entries);
        assertThat(BaselineFile.parse(BaselineFile.text(List.of(), List.of()), "text"))
                .isEmpty();
    }

    /** As long as audit records have them. */
    @Test
    void aLongShapeAndNamespaceAreReadBack() {
        String namespace = "d".repeat(256) + "." + "c".repeat(256);
        BaselineEntry longest =
                new BaselineEntry("00e7000000000012", namespace, "s\"\u00e9".repeat(682) + "ab", 1, null, null, null);
        assertThat(longest.shape()).hasSize(BaselineEntry.MAX_SHAPE_CHARS);
        assertThat(BaselineFile.parse(BaselineFile.text(List.of(), List.of(longest)), "text"))
                .containsExactly(longest);
        String yaml = "baseline: [{id: 00e7000000000012, shape: %s, namespace: %s}]";
        assertThatThrownBy(() -> BaselineFile.parse(yaml.formatted("s".repeat(2_049), "n".repeat(514)), "text"))
                .hasMessageContaining("shape: not one line of 1..2048 characters")
                .hasMessageContaining("namespace: not one line of 1..513 characters");
    }

    /** One that is in both counts as the configuration has it. */
    @Test
    void aPolicyHasItsOwnAndThoseOfItsFile(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("known.yaml"), BaselineFile.text(List.of(), List.of(WHOLE, BARE)));
        Path config = folder.resolve("scatterguard.yaml");
        Files.writeString(config, """
                listeners: [ { upstream: { hosts: [a] } } ]
                policy:
                  baselineFile: known.yaml
                  baseline: [ { id: "00e7000000000012", owner: another } ]
                """);
        List<BaselineEntry> baseline =
                ConfigReader.read(config, Map.of()).policy().baseline();
        assertThat(baseline).hasSize(3);
        assertThat(baseline.get(2).owner()).isEqualTo("another");
    }

    @Test
    void whatIsNoSuchFileIsSaid(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("known.yaml");
        Files.write(file, new byte[] {(byte) 0xff});
        assertThatThrownBy(() -> BaselineFile.read(folder)).hasMessageContaining("a folder (expected: a file)");
        assertThatThrownBy(() -> BaselineFile.read(file)).hasMessageContaining("not UTF-8");
        Files.writeString(file, "");
        assertThatThrownBy(() -> BaselineFile.read(file))
                .hasMessageContaining("nothing in it (expected: baseline: and a list)");
        Files.writeString(file, "baseline: []\nshardingRules: []\n");
        assertThatThrownBy(() -> BaselineFile.read(file))
                .hasMessageContaining("shardingRules: of no effect in a baseline (expected: baseline alone)");
        assertThatThrownBy(() -> BaselineFile.read(folder.resolve("none.yaml")))
                .hasMessageContaining("cannot be read (NoSuchFileException)");
    }

    @Test
    void whatIsWrongIsNamedWithItsLine() {
        assertThatThrownBy(() -> BaselineFile.parse("""
                        baseline:
                          - id: xyz
                          - { id: "1234567890123456", count: -1 }
                          - { namespace: shop.orders }
                          - { id: "1234567890123457", until: soon }
                          - { id: "1234567890123458" }
                          - { id: "1234567890123458" }
                        other: 1
                        """, "known.yaml"))
                .isInstanceOf(ConfigException.class)
                .message()
                .contains(
                        "known.yaml: 6 errors",
                        "line 2: policy.baseline[0].id: \"xyz\" (expected: the shape's hash, 16 hexadecimal digits)",
                        "line 3: policy.baseline[1].count: -1 (expected: 0 or more)",
                        "policy.baseline[2].id: missing",
                        "line 5: policy.baseline[3].until: \"soon\"",
                        "policy.baseline[5].id: \"1234567890123458\" is there twice (expected: once)",
                        "line 8: other: of no effect in a baseline");
    }
}
