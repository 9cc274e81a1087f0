package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.ConfigKeys;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What takes effect while the process runs, and what waits for a start: the same here, in the manual, and in fact. */
class PendingKeysTest {
    private static final Map<String, String> STARTED = Map.of(
            "listeners", "[ { bind: '127.0.0.1:27100', upstream: { hosts: [a] } } ]",
            "admin", "{ bind: '127.0.0.1:19127', token: 0123456789abcdef }");

    /** An edit under each key of the whole file, of which nothing but a start can make something. */
    private static final Map<String, String> WAITING = Map.ofEntries(
            Map.entry("cluster", "another"),
            Map.entry("routerVersion", "6.0"),
            Map.entry("transport", "nio"),
            Map.entry("listeners", "[ { bind: '127.0.0.1:27101', upstream: { hosts: [a] } } ]"),
            Map.entry("server", "{ auth: required }"),
            Map.entry("catalog", "{ refresh: 7s }"),
            Map.entry("metrics", "{ topNamespaces: 7 }"),
            Map.entry("tracing", "{ endpoint: 'http://127.0.0.1:4318/v1/traces' }"),
            Map.entry("health", "{ bind: '127.0.0.1:19128' }"),
            Map.entry("admin", "{ bind: '127.0.0.1:19129', token: 0123456789abcdef }"),
            Map.entry("limits", "{ maxConnections: 7 }"));

    @TempDir
    private Path folder;

    private ScatterguardConfig config(Map<String, String> edit) throws IOException {
        Map<String, String> keys = new TreeMap<>(STARTED);
        keys.putAll(edit);
        StringBuilder yaml = new StringBuilder();
        keys.forEach((key, value) -> yaml.append(key).append(": ").append(value).append('\n'));
        Path file = folder.resolve("scatterguard.yaml");
        Files.writeString(file, yaml);
        return ConfigReader.read(file, Map.of(), path -> {});
    }

    private List<String> pending(String key, String value) throws IOException {
        ScatterguardConfig started = config(Map.of());
        ScatterguardConfig changed = config(Map.of(key, value));
        assertThat(changed).as("%s: %s changes something", key, value).isNotEqualTo(started);
        return PendingKeys.of(started, changed);
    }

    /** An edit of each key that is said to be live: nothing waits. */
    @Test
    void whatIsLiveDoesNotWait() throws IOException {
        Files.writeString(folder.resolve("rules.yaml"), "shardingRules: [ { namespace: a.b, key: { c: 1 } } ]");
        Map<String, Map.Entry<String, String>> edits = Map.of(
                "policy", Map.entry("policy", "{ mode: enforce, default: { reads: refuse } }"),
                "listeners[].mode",
                        Map.entry(
                                "listeners", "[ { bind: '127.0.0.1:27100', mode: bypass, upstream: { hosts: [a] } } ]"),
                "catalog.onUnknown", Map.entry("catalog", "{ onUnknown: refuse }"),
                "shardingRules", Map.entry("shardingRules", "[ { namespace: a.b, key: { c: 1 } } ]"),
                "shardingRulesFile", Map.entry("shardingRulesFile", "rules.yaml"),
                "audit",
                        Map.entry(
                                "audit", "{ sinks: [], record: all, findings: every, values: full, queueCapacity: 7 }"),
                "admin.token", Map.entry("admin", "{ bind: '127.0.0.1:19127', token: fedcba9876543210 }"));
        assertThat(edits.keySet()).containsExactlyInAnyOrderElementsOf(PendingKeys.LIVE);
        for (Map.Entry<String, String> edit : edits.values()) {
            assertThat(pending(edit.getKey(), edit.getValue()))
                    .as(edit.getKey())
                    .isEmpty();
        }
    }

    /** Every key at the top is live as a whole, or waits where something else than what is live changes under it. */
    @Test
    void everythingElseWaits() throws IOException {
        for (Map.Entry<String, String> edit : WAITING.entrySet()) {
            assertThat(pending(edit.getKey(), edit.getValue())).containsExactly(edit.getKey());
        }
        List<String> top = ConfigKeys.paths().stream()
                .filter(key -> !key.contains("."))
                .filter(key -> !PendingKeys.LIVE.contains(key))
                .toList();
        assertThat(WAITING.keySet()).containsExactlyInAnyOrderElementsOf(top);
    }

    @Test
    void theManualListsWhatIsLive() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "configuration.md"));
        int from = page.indexOf("| key | takes effect |");
        String table = page.substring(from, page.indexOf("\n\n", from));
        assertThat(Pattern.compile("(?m)^\\| `([^`]+)` \\|")
                        .matcher(table)
                        .results()
                        .map(row -> row.group(1)))
                .containsExactlyElementsOf(PendingKeys.LIVE);
    }
}
