package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import io.scatterguard.tests.support.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** {@code rules show} and {@code explain --rules} as a user runs them. */
@ResourceLock(Resources.SYSTEM_OUT)
class RulesShowTest {
    private static final String RULES = """
            shardingRules:
              - {namespace: shop.orders, key: {customerId: 1}, unique: true}
              - {namespace: shop.users, key: {_id: hashed}, shards: 2}
              - {namespace: shop.settings, unsplittable: west}
              - {namespace: iot.readings, key: {sensor: 1}, shards: 1, timeseries: {timeField: at, metaField: sensor}}
              - {namespace: shop.open, viewOn: shop.orders, pipeline: [{$match: {customerId: 5}}]}
              - {database: shop, primary: west}
            """;

    @TempDir
    private Path folder;

    private String file(String rules) throws IOException {
        return Files.writeString(folder.resolve("rules.yaml"), rules).toString();
    }

    @Test
    void everyRuleHasItsLine() throws IOException {
        CommandLineRun run = CommandLineRun.of("rules", "show", file(RULES));

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("""
                6 rules
                shards: west, shard-2, shard-3
                collection shop.orders: sharded by {customerId: 1}, unique, chunks that are not known on west, shard-2, shard-3
                collection shop.users: sharded by {_id: "hashed"}, 2 chunks on west, shard-2
                collection shop.settings: not sharded, on west
                collection iot.readings: time series, sharded by {meta: 1}, 1 chunk on west
                view shop.open: on shop.orders, 1 stage
                database shop: primary west
                """);
    }

    @Test
    void mistakesAreListedAndTheCodeIsTwo() throws IOException {
        for (String[] command : new String[][] {{"rules", "show", null}, {"explain", "--rules", null}}) {
            command[2] = file("shardingRules: [{namespace: a.b}, {namespace: c, key: {x: 1}}]");
            CommandLineRun run = CommandLineRun.withInput("{find: 'b', $db: 'a'}", command);

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).contains("2 errors", "shardingRules[0].key: missing", "shardingRules[1].namespace");
        }
        CommandLineRun missing =
                CommandLineRun.of("rules", "show", folder.resolve("no.yaml").toString());
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains("no.yaml", "cannot be read");
    }

    @Test
    void explainGoesByTheRules() throws IOException {
        String rules = file(RULES);
        String find = "{find: 'orders', filter: {customerId: 5}, $db: 'shop'}";
        assertThat(CommandLineRun.withInput(find, "explain", "--rules", rules).out())
                .startsWith("find on shop.orders: 1 of 3 shards: ")
                .contains("not known", "a declared shard key");
        assertThat(CommandLineRun.withInput("{find: 'open', $db: 'shop'}", "explain", "--rules", rules)
                        .out())
                .contains("shape singleShard");
        assertThat(CommandLineRun.withInput(
                                "{find: 'orders', filter: {customerId: {$gt: 5}}, $db: 'shop'}",
                                "explain",
                                "--rules",
                                rules)
                        .out())
                .startsWith("find on shop.orders: at most 3 of 3 shards")
                .contains("leave at most 3 shards, as no chunk", "shape multiShard, certainty exact");
        assertThat(CommandLineRun.withInput(
                                "{find: 'readings', filter: {sensor: 5}, $db: 'iot'}", "explain", "--rules", rules)
                        .out())
                .contains("shard key   {meta: 1}", "= 5");
        assertThat(CommandLineRun.withInput("{find: 'nothing', $db: 'shop'}", "explain", "--rules", rules)
                        .out())
                .contains("No rule declares shop.nothing, so it counts as not sharded.");
        Path config = Files.writeString(folder.resolve("scatterguard.yaml"), """
                listeners: [{upstream: {kind: standalone, hosts: ["127.0.0.1:1"]}}]
                shardingRules: [{namespace: shop.orders, key: {status: 1}}, {namespace: shop.more, key: {a: 1}}]
                """);
        assertThat(CommandLineRun.withInput(find, "explain", "--config", config.toString())
                        .out())
                .startsWith("find on shop.orders: scatter-gather, 3 of 3 shards");
        // Those of the file count over those of the configuration, which are there all the same.
        String both = find + "{find: 'more', filter: {a: 1}, $db: 'shop'}";
        assertThat(CommandLineRun.withInput(both, "explain", "--config", config.toString(), "--rules", rules)
                        .out())
                .contains("#1 find on shop.orders: 1 of 3 shards", "#2 find on shop.more: 1 of 3 shards");
    }

    @Test
    void withoutAClusterThereIsNothingToDump() throws IOException {
        Path config = Files.writeString(folder.resolve("scatterguard.yaml"), """
                listeners: [{upstream: {kind: standalone, hosts: ["127.0.0.1:1"]}}]
                shardingRules: [{namespace: shop.orders, key: {status: 1}}]
                """);
        CommandLineRun run = CommandLineRun.of("catalog", "dump", "--config", config.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("no catalog.uri");
    }

    @Test
    void aViewOnWhatIsNotDeclaredIsNotCalledUndeclared() throws IOException {
        String rules = file("shardingRules: [{namespace: shop.view, viewOn: shop.elsewhere}]");
        CommandLineRun run = CommandLineRun.withInput("{find: 'view', $db: 'shop'}", "explain", "--rules", rules);

        assertThat(run.out())
                .contains("The view shop.view reads shop.elsewhere, which counts as not sharded.")
                .doesNotContain("No rule declares");
    }

    /** Declared keys count over those of a cluster that is asked, and of one that was dumped; what is not declared stays. */
    @Test
    void theRulesCountOverAClusterAndOverADump() throws IOException {
        String rules =
                file("shardingRules: [{namespace: shop.orders, key: {status: 1}}, {namespace: shop.n, key: {a: 1}}]");
        String find = "{find: 'orders', filter: {status: 'open'}, $db: 'shop'}"
                + "{find: 'n', filter: {b: 1}, $db: 'shop'}"
                + "{find: 'customers', filter: {_id: 1}, $db: 'shop'}";
        try (EmbeddedServer server = EmbeddedServer.start(0)) {
            ShopData.load(server.connectionString());
            String uri = server.connectionString();
            String dump = folder.resolve("dump.json").toString();
            assertThat(CommandLineRun.of("catalog", "dump", "--uri", uri, "-o", dump)
                            .code())
                    .isZero();
            CommandLineRun plain = CommandLineRun.withInput(find, "explain", "--uri", uri);
            assertThat(plain.out()).contains("#1 find on shop.orders: scatter-gather", "#2 find on shop.n: unsharded");
            CommandLineRun live = CommandLineRun.withInput(find, "explain", "--uri", uri, "--rules", rules);
            assertThat(live.code()).as(live.err()).isZero();
            assertThat(live.out())
                    .contains(
                            "#1 find on shop.orders: 1 of 3 shards",
                            "#2 find on shop.n: scatter-gather, 3 of 3 shards",
                            "a declared shard key");
            assertThat(part(live.out(), 3)).isEqualTo(part(plain.out(), 3)).doesNotContain("a declared shard key");
            assertThat(CommandLineRun.withInput(find, "explain", "--catalog", dump, "--rules", rules))
                    .isEqualTo(live);
        }
    }

    private static String part(String explained, int number) {
        return explained.substring(explained.indexOf("#" + number + " "));
    }
}
