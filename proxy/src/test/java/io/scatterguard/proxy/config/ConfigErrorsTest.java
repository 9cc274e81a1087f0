package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One wrong thing each: it is reported, with its key, and nothing else is. */
class ConfigErrorsTest {
    private static final String MINIMAL = "listeners: [{upstream: {hosts: [a]}}]\n";

    private static ConfigException rejected(String yaml) {
        return catchThrowableOfType(ConfigException.class, () -> ConfigReader.read(yaml, Map.of("EMPTY", "")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "cluster: ' ' # cluster: not one line of 1..200 characters",
                "cluster: # cluster: nothing (expected: a text)",
                "cluster: [a] # cluster: a list (expected: a text)",
                "cluster: ${NO} # cluster: ${NO}: the environment variable is not set",
                "cluster: ${EMPTY} # cluster: not one line of 1..200 characters",
                "cluster: '${a' # cluster: \"${\" without \"}\" (expected: ${NAME} or ${file:path}; $${ for itself)",
                "cluster: ${a-b} # cluster: ${a-b}: not a variable (expected: ${NAME} or ${file:path})",
                "cluster: ${file:/no/such} # cluster: ${file:/no/such}: cannot be read (NoSuchFileException)",
                "routerVersion: six # routerVersion: \"six\" (expected: major.minor, like 6.0)",
                "clustr: a # clustr: unknown key (did you mean \"cluster\"?)",
                "tls: {} # tls: of no effect here (expected: listeners[].tls towards clients, server.tls towards servers)",
                "health: {} # health.bind: missing (expected: host:port)",
                "server: {auth: yes} # server.auth: \"yes\" (expected: auto | required)",
                "server: {proxyProtocol: v3} # server.proxyProtocol: \"v3\" (expected: off | v1 | v2)",
                "policy: observe # policy: a single value (expected: a mapping with mode, default, rules, exemptions, owners,"
                        + " baselineFile, baseline, commentExemptions, tools, wouldFail, onInternalError,"
                        + " refusalDetail, refuseUnacknowledged)",
                "policy: {mode: Observe} # policy.mode: \"Observe\" (expected: bypass | observe | enforce)",
                "policy: {zzz: 1} # policy.zzz: unknown key (known here: mode, default, rules, exemptions, owners,"
                        + " baselineFile, baseline, commentExemptions, tools, wouldFail, onInternalError,"
                        + " refusalDetail, refuseUnacknowledged)",
                "policy: {default: {reads: throttle}} # policy.default.rate: missing (expected: a rate like 10/s, 600/m or"
                        + " 1000/h, 1..1000000, for a throttle)",
                "policy: {default: {reads: log, rate: 1/s}} # policy.default.rate: of no effect without a throttle (remove it)",
                "policy: {rules: {a: b}} # policy.rules: a mapping (expected: a list of mappings)",
                "policy: {rules: [{action: log}]} # policy.rules[0].name: missing (expected: a name)",
                "policy: {rules: [{name: a}]} # policy.rules[0].action: missing (expected: allow | log | throttle | refuse)",
                "policy: {rules: [{name: a, action: log, exemptible: yes}]} # policy.rules[0].exemptible: \"yes\""
                        + " (expected: true | false)",
                "policy: {rules: [{name: a, action: log, match: {commands: ping}}]} # policy.rules[0].match.commands:"
                        + " \"ping\" is never judged (expected: a command that is sent to shards)",
                "policy: {rules: [{name: a, action: log, match: {namespace: []}}]} # policy.rules[0].match.namespace:"
                        + " an empty list (expected: a glob on db.coll)",
                "policy: {rules: [{name: a, action: log, match: {namespace: }}]} # policy.rules[0].match.namespace:"
                        + " nothing (expected: a glob on db.coll)",
                "policy: {rules: [{name: a, action: log, match: {shape: [all]}}]} # policy.rules[0].match.shape[0]:"
                        + " \"all\" (expected: singleShard | multiShard | scatterGather, or a list of them)",
                "policy: {exemptions: [{id: 'a b'}]} # policy.exemptions[0].id: \"a b\""
                        + " (expected: 1..100 letters, digits and inner . _ -)",
                "policy: {exemptions: [{id: a, until: 2027-02-30}]} # policy.exemptions[0].until: \"2027-02-30\""
                        + " (expected: a date like 2027-03-31, the last day it applies)",
                "policy: {exemptions: [{id: a, match: {shape: x}}]} # policy.exemptions[0].match.shape:"
                        + " unknown key (known here: namespace, commands, appName, user, driver, clientAddress,"
                        + " commentTag, time)",
                "policy: {exemptions: [{id: a}, {id: a}]} # policy.exemptions[1].id:"
                        + " the same as exemptions[0].id (expected: a different one for each)",
                "policy: {mode: enforce, mode: bypass} # policy.mode: the key is there twice (expected: once)",
                "audit: {findings: all} # audit.findings: \"all\" (expected: sampled | every)",
                "audit: {values: everything} # audit.values: \"everything\" (expected: shape | full)",
                "audit: {sinks: [{type: file, path: a}, {type: file, path: ./a}]} # audit.sinks[1].path:"
                        + " the same as sinks[0].path (expected: a different one for each)",
                "audit: {sinks: [{type: otlp}]} # audit.sinks[0].endpoint: missing"
                        + " (expected: http://host:port/v1/logs, or https, without a password)",
                "audit: {sinks: [{type: otlp, endpoint: 'ftp://a/b'}]} # audit.sinks[0].endpoint: \"ftp://a/b\""
                        + " (expected: http://host:port/v1/logs, or https, without a password)",
                "audit: {sinks: [{type: otlp, endpoint: 'http://a', headers: [{name: a}]}]}"
                        + " # audit.sinks[0].headers[0].value: missing (expected: a text; best as ${file:path})",
                "audit: {sinks: [{type: otlp, endpoint: 'http://a', headers: [{name: 'a b', value: c}]}]}"
                        + " # audit.sinks[0].headers[0].name: not a header's name (expected: a token, as in HTTP)",
                "audit: {sinks: [{type: otlp, endpoint: 'http://a', headers: [{name: Host, value: c}]}]}"
                        + " # audit.sinks[0].headers[0].name: a header that the proxy sets itself (expected: one of the"
                        + " collector's, like Authorization)",
                "tracing: {} # tracing.endpoint: missing (expected: http://host:port/v1/traces, or https, without a"
                        + " password)",
                "tracing: {endpoint: 'grpc://a'} # tracing.endpoint: \"grpc://a\" (expected:"
                        + " http://host:port/v1/traces, or https, without a password)",
                "tracing: {endpoint: 'http://a', queueCapacity: 0} # tracing.queueCapacity: 0 (expected: 1..1048576)",
                "metrics: {otlp: {every: 5s}} # metrics.otlp.endpoint: missing (expected:"
                        + " http://host:port/v1/metrics, or https, without a password)",
                "metrics: {otlp: {endpoint: 'http://a', every: 500ms}} # metrics.otlp.every: 500ms (expected: 1s..1h)",
                "audit: {sinks: [{type: otlp, endpoint: 'http://a', path: b}]}"
                        + " # audit.sinks[0].path: of no effect for otlp (remove it)",
                "audit: {sinks: [{type: file, path: a, endpoint: b}]}"
                        + " # audit.sinks[0].endpoint: of no effect for file (remove it)",
                "audit: {sinks: [{}]} # audit.sinks[0].type: missing (expected: stdout | file | otlp)",
                "audit: {sinks: [{type: stdout, whenFull: wait}]} # audit.sinks[0].whenFull: \"wait\" (expected: drop | block)",
                "audit: {sinks: [{type: file, path: a, rotateEvery: 5s}]} # audit.sinks[0].rotateEvery: 5s (expected: 1m..366d, or 0s for none)",
                "audit: {sinks: [{type: stdout, gzip: true}]} # audit.sinks[0].gzip: has no meaning for stdout (expected: type file)",
                "audit: {sinks: [{type: file}]} # audit.sinks[0].path: missing (expected: a file's path)",
                "audit: {sinks: [{type: stdout, path: a}]} # audit.sinks[0].path: has no meaning for stdout"
                        + " (expected: type file)",
                "audit: {sinks: [{type: file, path: a, maxBytes: 5MB}]} # audit.sinks[0].maxBytes: \"5MB\""
                        + " (expected: a size like 64KiB, 100MiB or 1GiB, or plain bytes)",
                "audit: {sinks: [{type: file, path: a, maxBytes: 5}]} # audit.sinks[0].maxBytes: 5"
                        + " (expected: 1024..1099511627776)",
                "catalog: {refresh: 1ms} # catalog.refresh: 1ms (expected: 1s..1d)",
                "policy: {refusalDetail: short} # policy.refusalDetail: \"short\" (expected: full | namesOnly | codeOnly)",
                "policy: {refuseUnacknowledged: 1} # policy.refuseUnacknowledged: \"1\" (expected: true | false)",
                "refusalDetail: full # refusalDetail: of no effect here (expected: policy.refusalDetail)",
                "limits: {firstByteTimeout: 5s} # limits.firstByteTimeout: called limits.handshakeTimeout now (rename it)",
                "limits: {handshakeTimeout: 0s} # limits.handshakeTimeout: 0s (expected: 1ms..1h)",
                "limits: {idleTimeout: 8d} # limits.idleTimeout: 8d (expected: 0s..7d)",
                "limits: {maxConnectionsPerAddress: -1} # limits.maxConnectionsPerAddress: -1 (expected: 0..1000000)",
                "limits: {connectionRate: 0.5} # limits.connectionRate: \"0.5\" (expected: a whole number)",
                "limits: {requestBuffer: 63MiB} # limits.requestBuffer: 66060288 (expected: 67108864..1099511627776)",
                "limits: {requestBufferTimeout: 0s} # limits.requestBufferTimeout: 0s (expected: 1ms..1h)",
                "limits: {requestStallTimeout: 2h} # limits.requestStallTimeout: 2h (expected: 1ms..1h)",
                "transport: epoll # transport: \"epoll\" (expected: auto | nio)",
                "limits: {maxInFlight: 1.5} # limits.maxInFlight: \"1.5\" (expected: a whole number)",
                "limits: {maxConnections: 99999999999} # limits.maxConnections: \"99999999999\""
                        + " (expected: a number within -2147483648..2147483647)",
            })
    void aWrongValueIsNamed(String line, String expected) {
        assertThat(rejected(MINIMAL + line).errors())
                .extracting(e -> e.path() + ": " + e.problem())
                .containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '~',
            value = {
                "~~ # listeners: missing (expected: at least one, with upstream.hosts)",
                "listeners: # listeners: missing (expected: at least one, with upstream.hosts)",
                "listeners: [] # listeners: an empty list (expected: at least one, with upstream.hosts)",
                "listeners: {} # listeners: a mapping (expected: a list of mappings)",
                "listeners: [{}] # listeners[0].upstream: missing (expected: a mapping with hosts)",
                "listeners: [{upstream: }] # listeners[0].upstream.hosts: missing (expected: at least one host:port)",
                "listeners: [{upstream: {hosts: []}}] # listeners[0].upstream.hosts: an empty list"
                        + " (expected: host:port, or host for port 27017)",
                "listeners: [{upstream: {hosts: 'mongodb://a'}}] # listeners[0].upstream.hosts: \"mongodb://a\""
                        + " (expected: host:port, or host for port 27017)",
                "listeners: [{upstream: {kind: standalone, hosts: [a, b]}}] # listeners[0].upstream.hosts: 2 hosts"
                        + " (expected: one, for a standalone)",
                "listeners: [{bind: a, upstream: {hosts: a}}, {upstream: {hosts: a}}] # listeners[0].bind: \"a\""
                        + " (expected: host:port)",
                "listeners: [{upstream: {hosts: a}}, {upstream: {hosts: a}}] # listeners[1].bind:"
                        + " the same as listeners[0].bind (expected: a different one for each)",
                "listeners: [{tls: {}, upstream: {hosts: a}}] # ~listeners[0].tls.certificate:"
                        + " missing (expected: a PEM or PKCS#12 file)~",
                "listeners: [{proxyProtocol: {}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: missing"
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: lb}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: \"lb\""
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: 10.0.0.1/8}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: \"10.0.0.1/8\""
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: 10.0.0.0/33}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: \"10.0.0.0/33\""
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: '::/129'}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: \"::/129\""
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: '::1%lo'}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: \"::1%lo\""
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: 10.0.0}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: \"10.0.0\""
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: '[::1]'}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: \"[::1]\""
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: 10.0.0.0/}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: \"10.0.0.0/\""
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: [10.0.0.0/8, x]}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from[1]: \"x\""
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {from: []}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from: an empty list"
                        + " (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "listeners: [{proxyProtocol: {required: true}, upstream: {hosts: a}}] # listeners[0].proxyProtocol.from:"
                        + " missing (expected: an address like 10.1.2.3 or ::1, or a network like 10.0.0.0/8)",
                "[a] # : a list (expected: a mapping with listeners and other keys)",
                "a # : a single value (expected: a mapping with listeners and other keys)",
            })
    void wrongListenersAreNamed(String yaml, String expected) {
        assertThat(rejected(yaml).errors())
                .extracting(e -> e.path() + ": " + e.problem())
                .containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "'cluster: &x a\nrouterVersion: *x' # routerVersion: a YAML alias",
                "'a: b\n---\na: b' # : a second"
            })
    void yamlThatIsNotReadIsRejected(String yaml, String expected) {
        assertThat(rejected(yaml).errors())
                .extracting(e -> e.path() + ": " + e.problem())
                .anyMatch(error -> error.startsWith(expected));
    }

    /** Somebody who leaves out {@code catalog.uri}, or names the same port there, would wait for metadata for ever. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "a # catalog: {} # false",
                "a # catalog: {uri: 'mongodb://a/'} # false",
                "'a:27018' # catalog: {uri: 'mongodb://u:p@b,a:27018/?authSource=admin'} # false",
                "'[a, b:27018]' # catalog: {uri: 'mongodb://b:27018'} # false",
                "'a:27018' # catalog: {uri: 'mongodb://a'} # true",
                "'a:27018' # catalog: {uri: 'mongodb://cfg:27019/?replicaSet=cfg'} # true",
            })
    void withPrefacedConnectionsTheCatalogIsReadElsewhere(String hosts, String catalog, boolean good) {
        String yaml = "listeners: [{upstream: {hosts: %s}}]\n%s\nserver: {proxyProtocol: v2}".formatted(hosts, catalog);
        if (good) {
            assertThat(ConfigReader.read(yaml, Map.of()).server().proxyProtocol())
                    .isEqualTo(ServerConfig.ProxyProtocol.V2);
        } else {
            assertThat(rejected(yaml).errors())
                    .singleElement()
                    .satisfies(e -> assertThat(e.path() + ": " + e.problem())
                            .isEqualTo("catalog.uri: names a host of a listener's upstream, whose port takes nobody"
                                    + " without a PROXY header (expected with server.proxyProtocol: ordinary ports of"
                                    + " mongos, or the config servers)"));
        }
    }

    /** Members of a replica set take no PROXY header; routers beside them on another listener make no difference. */
    @Test
    void membersOfAReplicaSetAreNotSentProxyHeaders() {
        String yaml =
                "listeners: [{bind: 'a:1', upstream: {hosts: r}}, {upstream: {kind: replicaSet, hosts: [a, b, c]}}]\n"
                        + "catalog: {uri: 'mongodb://cfg:27019/?replicaSet=cfg'}\nserver: {proxyProtocol: %s}";
        assertThat(rejected(yaml.formatted("v1")).errors())
                .singleElement()
                .satisfies(e -> assertThat(e.path() + ": " + e.problem())
                        .isEqualTo(
                                "server.proxyProtocol: v1, and a listener's upstream is a replica set, whose members are"
                                        + " dialled at the ports of the set's own configuration, which take no PROXY headers"
                                        + " (expected: off, or no upstream of kind replicaSet)"));
        UpstreamConfig set = ConfigReader.read(yaml.formatted("'off'"), Map.of())
                .listeners()
                .get(1)
                .upstream();
        assertThat(set.kind()).isEqualTo(UpstreamConfig.Kind.REPLICA_SET);
        assertThat(set.hosts()).hasSize(3);
    }

    /** A key of the registry that the reader never asks for would be accepted and do nothing. */
    @ParameterizedTest
    @MethodSource("io.scatterguard.proxy.config.ConfigKeys#paths")
    void everyKnownKeyIsRead(String path) {
        String concrete = path.replace("[]", "[0]");

        // A key that takes any document takes also that of the first.
        assertThat(Stream.of("{zzz: {zzz: 1}}", "zzz")
                        .flatMap(value -> errors(withValue(path, value)).stream())
                        .map(ConfigError::path))
                .anyMatch(p -> p.equals(concrete) || p.equals(concrete + ".zzz"));
    }

    /** What is wrong with {@code yaml}, if anything is. */
    private static List<ConfigError> errors(String yaml) {
        ConfigException rejection = rejected(yaml);
        return rejection == null ? List.of() : rejection.errors();
    }

    private static String withValue(String path, String value) {
        String[] steps = path.split("\\.");
        String wrong = value;
        for (int i = steps.length - 1; i >= 0; i--) {
            String siblings = siblings(path, i, steps[i]);
            wrong = steps[i].endsWith("[]")
                    ? "{" + siblings + steps[i].replace("[]", "") + ": [" + wrong + "]}"
                    : "{" + siblings + steps[i] + ": " + wrong + "}";
        }
        return wrong;
    }

    /** A sink is read according to its type. */
    private static String siblings(String path, int depth, String step) {
        if (!path.startsWith("audit.sinks[].") || depth != 2 || step.equals("type")) {
            return "";
        }
        boolean otlp = step.equals("endpoint") || step.startsWith("headers");
        return otlp ? "type: otlp, " : "type: file, ";
    }
}
