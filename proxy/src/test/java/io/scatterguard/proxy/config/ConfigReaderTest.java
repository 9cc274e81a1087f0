package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.scatterguard.protocol.command.CommandName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
    private static final String MINIMAL = "listeners: [{upstream: {hosts: [a]}}]\n";

    @TempDir
    Path folder;

    static ScatterguardConfig read(String yaml) {
        return ConfigReader.read(yaml, Map.of());
    }

    private static ConfigException rejected(String yaml) {
        return catchThrowableOfType(ConfigException.class, () -> read(yaml));
    }

    @Test
    void onlyTheHostsAreRequired() {
        UpstreamConfig upstream = new UpstreamConfig(UpstreamConfig.Kind.MONGOS, List.of(new HostAndPort("a", 27_017)));

        assertThat(read(MINIMAL)).isEqualTo(ScatterguardConfig.inFrontOf(upstream));
    }

    @Test
    void onlyTheOneHostOfAReplicaSetMayBeDirect() {
        String set = "listeners: [{upstream: {kind: replicaSet, hosts: [a], direct: true}}]";
        assertThat(read(set).listeners().get(0).upstream().direct()).isTrue();
        assertThat(read(set.replace(", direct: true", ""))
                        .listeners()
                        .get(0)
                        .upstream()
                        .direct())
                .isFalse();
        String expected = "direct: true (expected: false, but for a replicaSet with one host)";
        assertThat(rejected(set.replace("[a]", "[a, b]")).getMessage()).contains(expected);
        assertThat(rejected(set.replace("replicaSet", "mongos")).getMessage()).contains(expected);
    }

    @Test
    void sectionsWithNothingInThemAreTheDefaults() {
        assertThat(read(MINIMAL + "policy:\naudit:\n  sinks:\nlimits: {}\ncatalog: # nothing\n"))
                .isEqualTo(read(MINIMAL));
    }

    @Test
    void noSinksIsNotTheDefaultSink() {
        assertThat(read(MINIMAL + "audit: {sinks: []}").audit().sinks()).isEmpty();
        assertThat(read(MINIMAL).audit().sinks()).containsExactly(new SinkConfig.Stdout());
    }

    @Test
    void theCatalogIsReadThroughTheFirstListener() {
        String yaml = "listeners: [{upstream: {hosts: [a, 'b:1', '[::1]:2']}}, {bind: 'x:1', upstream: {hosts: [c]}}]";

        assertThat(read(yaml).catalog().uri().reveal()).isEqualTo("mongodb://a:27017,b:1,[::1]:2/");
    }

    @Test
    void readsEveryKindOfValue() {
        ScatterguardConfig config = read(MINIMAL + """
                cluster: staging
                routerVersion: 6.0
                catalog: {uri: 'mongodb://u:p@h/', refresh: 5s, onUnknown: refuse}
                policy:
                  mode: enforce
                  default: {reads: refuse}
                  commentExemptions: off
                  rules:
                    - name: r
                      match: {namespace: 'a.*', commands: [find, findandmodify], shape: [multiShard], certainty: any}
                      action: refuse
                      exemptible: false
                  exemptions: [{id: e, match: {appName: x}, until: 2027-03-31}]
                audit: {sinks: [{type: file, path: /a, maxBytes: 2MiB, rotateEvery: 1h, gzip: true, whenFull: block}], record: all}
                limits: {maxInFlight: 7, requestBuffer: 64MiB, idleTimeout: 1h}
                transport: nio
                """);

        assertThat(config.routerVersion()).isEqualTo("6.0");
        assertThat(config.catalog().refresh()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.catalog().onUnknown()).isEqualTo(CatalogConfig.OnUnknown.REFUSE);
        assertThat(config.policy().defaults())
                .isEqualTo(new PolicyConfig.Defaults(ActionChoice.REFUSE, ActionChoice.LOG, null));
        assertThat(config.policy().commentExemptions()).isEqualTo(PolicyConfig.CommentExemptions.OFF);
        SelectorConfig selector = new SelectorConfig(
                List.of("a.*"),
                List.of(CommandName.FIND, CommandName.FIND_AND_MODIFY),
                ClientMatchConfig.ALL,
                List.of(),
                null);
        assertThat(config.policy().rules())
                .containsExactly(new RuleConfig(
                        "r",
                        new RuleMatchConfig(
                                selector,
                                List.of(RuleMatchConfig.ShapeChoice.MULTI_SHARD),
                                RuleMatchConfig.CertaintyChoice.ANY,
                                RouteMatchConfig.NONE),
                        ActionConfig.plain(ActionChoice.REFUSE),
                        false,
                        Stewardship.NONE));
        assertThat(config.policy().exemptions())
                .containsExactly(new ExemptionConfig(
                        "e",
                        new SelectorConfig(
                                List.of(),
                                List.of(),
                                new ClientMatchConfig("x", null, null, List.of()),
                                List.of(),
                                null),
                        null,
                        null,
                        LocalDate.of(2027, 3, 31)));
        assertThat(config.audit().sinks())
                .containsExactly(new SinkConfig.RotatingFile(
                        Path.of("/a"), 2 << 20, 10, java.time.Duration.ofHours(1), true, SinkConfig.WhenFull.BLOCK));
        assertThat(config.limits().maxInFlight()).isEqualTo(7);
        assertThat(config.limits().requestBuffer()).isEqualTo(64 << 20);
        assertThat(config.limits().idleTimeout()).isEqualTo(java.time.Duration.ofHours(1));
        assertThat(config.transport()).isEqualTo(Transport.NIO);
        assertThat(config.limits().maxConnections()).isEqualTo(10_000);
    }

    @Test
    void listsEverythingThatIsWrongWithItsLine() {
        ConfigException e = rejected("""
                cluster: c
                listeners:
                  - bind: x
                    upstream: {kind: replicSet, hosts: [a]}
                  - upstream:
                      hosts: ['a:0', b, b]
                policy:
                  mod: observe
                  rules:
                    - name: one
                      action: refuse
                    - name: two
                      match: {commands: [fnid]}
                      action: refus
                    - name: one
                      action: log
                limits:
                  maxInFlight: 0
                  connectTimeout: 5
                admin: {bind: x}
                """);

        assertThat(e.errors())
                .extracting(ConfigError::toString)
                .containsExactly(
                        "line 3: listeners[0].bind: \"x\" (expected: host:port)",
                        "line 4: listeners[0].upstream.kind: \"replicSet\""
                                + " (expected: mongos | replicaSet | standalone)",
                        "line 6: listeners[1].upstream.hosts: port 0 (expected: 1..65535)",
                        "line 6: listeners[1].upstream.hosts: the same host twice (expected: each once)",
                        "line 8: policy.mod: unknown key (did you mean \"mode\"?)",
                        "line 13: policy.rules[1].match.commands[0]: \"fnid\""
                                + " (expected: the name of a command; did you mean \"find\"?)",
                        "line 14: policy.rules[1].action: \"refus\" (expected: allow | log | throttle | refuse)",
                        "line 15: policy.rules[2].name: the same as rules[0].name"
                                + " (expected: a different one for each)",
                        "line 18: limits.maxInFlight: 0 (expected: 1..100000)",
                        "line 19: limits.connectTimeout: \"5\" (expected: a duration like 500ms, 30s, 5m, 1h or 2d)",
                        "line 20: admin.bind: \"x\" (expected: host:port)");
        assertThat(e).hasMessageStartingWith("configuration text: 11 errors\n  line 3: listeners[0].bind: ");
    }

    /** Checks that need several values together are made even where a single one is wrong. */
    @Test
    void oneErrorHidesNoOther() {
        ConfigException e = rejected("""
                routerVersion: x
                listeners:
                  - {upstream: {hosts: a}}
                  - {bind: y, upstream: {}}
                  - {upstream: {hosts: a}}
                catalog: {refresh: 2d}
                policy:
                  rules: [{action: log}, {name: a, action: log}, {name: a, action: log}]
                  exemptions: [{id: -}, {id: a}, {id: a, match: {commands: x}}]
                audit: {queueCapacity: 0, sinks: [{}]}
                """);

        assertThat(e.errors())
                .extracting(ConfigError::path)
                .containsExactlyInAnyOrder(
                        "routerVersion",
                        "listeners[1].bind",
                        "listeners[1].upstream.hosts",
                        "listeners[2].bind",
                        "catalog.refresh",
                        "policy.rules[0].name",
                        "policy.rules[2].name",
                        "policy.exemptions[0].id",
                        "policy.exemptions[2].id",
                        "policy.exemptions[2].match.commands",
                        "audit.queueCapacity",
                        "audit.sinks[0].type");
    }

    @Test
    void whatIsNotYamlSaysOnlyThatAndKeepsTheLineToItself() {
        ConfigException e = rejected("cluster: c\ncatalog: {uri: mongodb://u:topsecret@h/, refresh: }]\n");

        assertThat(e.errors()).hasSize(1);
        assertThat(e.errors().get(0).line()).isEqualTo(2);
        assertThat(e).hasMessageContaining("not YAML: ").hasMessageNotContaining("topsecret");
    }

    @Test
    void aFileIsReadWithItsFolderAndTheEnvironment() throws IOException {
        Files.writeString(folder.resolve("secret"), "s%40\n");
        Path file = folder.resolve("c.yaml");
        Files.writeString(file, MINIMAL + "cluster: ${A}-${A}\ncatalog: {uri: 'mongodb://u:${file:secret}@h/'}\n");

        ScatterguardConfig config = ConfigReader.read(file, Map.of("A", "x"));

        assertThat(config.cluster()).isEqualTo("x-x");
        assertThat(config.catalog().uri().reveal()).isEqualTo("mongodb://u:s%40@h/");
        assertThat(config.toString()).doesNotContain("s%40").contains("mongodb://***@h/");
    }

    @Test
    void aFileThatIsNotThereOrNotTextIsAnError() throws IOException {
        Path file = folder.resolve("c.yaml");

        assertThat(catchThrowableOfType(ConfigException.class, () -> ConfigReader.read(file, Map.of())))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("cannot be read (NoSuchFileException)");
        Files.write(file, new byte[] {'a', ':', (byte) 0xff});
        assertThat(catchThrowableOfType(ConfigException.class, () -> ConfigReader.read(file, Map.of())))
                .hasMessageContaining("not UTF-8");
    }

    @Test
    void aSecretIsInNoMessage() {
        ConfigException e = catchThrowableOfType(
                ConfigException.class,
                () -> ConfigReader.read(
                        MINIMAL + "catalog: {uri: 'mongodb://u:top@secret@h/'}\npolicy: {mode: '${PW}',"
                                + " exemptions: [{id: '${PW}!'}, {id: '${PW}'}, {id: '${PW}'}]}\nrouterVersion: ${PW}\n"
                                + "cluster: \"mongodb://u:top:secret@h\\n\"\naudit: {values: 'mongodb://u:topsecret@h'}",
                        Map.of("PW", "topsecret")));

        assertThat(e.errors())
                .extracting(ConfigError::path)
                .containsExactlyInAnyOrder(
                        "catalog.uri",
                        "policy.mode",
                        "policy.exemptions[0].id",
                        "policy.exemptions[2].id",
                        "routerVersion",
                        "cluster",
                        "audit.values");
        assertThat(e.getMessage()).doesNotContain("top").contains("\"${PW}\"");
    }
}
