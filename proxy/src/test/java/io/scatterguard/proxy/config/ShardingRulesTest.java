package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.CollectionRule.Bounds;
import io.scatterguard.proxy.config.CollectionRule.Chunks;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.CollectionRule.SplitAt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardingRulesTest {
    @Test
    void readsEveryKindOfRule() {
        List<ShardingRule> rules = RulesFile.parse("""
                shardingRules:
                  - namespace: shop.orders
                    key: {customer: 1, number: hashed}
                    shards: 4
                  - namespace: shop.items
                    key: {sku: 1}
                    splitAt: [{sku: 10}, {sku: {$oid: 65a000000000000000000001}}]
                    uniqueIndexes: [{sku: 1, name: 1}]
                  - namespace: shop.users
                    key: {email: 1}
                    chunks:
                      - {min: {email: {$minKey: 1}}, shard: a}
                      - {min: {email: m}, shard: b}
                  - namespace: shop.open
                    viewOn: shop.orders
                    pipeline: [{$match: {open: true, since: "2024"}}]
                  - {database: shop, primary: a}
                """, "rules.yaml");

        assertThat(rules).hasSize(5);
        CollectionRule orders = (CollectionRule) rules.get(0);
        assertThat(orders.namespace()).isEqualTo(new Namespace("shop", "orders"));
        assertThat(orders.isHashed()).isTrue();
        assertThat(orders.distribution()).isEqualTo(new Shards(4, Bounds.FRESH));
        SplitAt split = (SplitAt) ((CollectionRule) rules.get(1)).distribution();
        assertThat(split.points().get(0).get("sku")).isEqualTo(new BsonInt32(10));
        assertThat(split.points().get(1).get("sku").isObjectId()).isTrue();
        assertThat(((Chunks) ((CollectionRule) rules.get(2)).distribution()).chunks())
                .hasSize(2);
        assertThat(((ViewRule) rules.get(3)).pipeline())
                .containsExactly(BsonDocument.parse("{$match: {open: true, since: '2024'}}"));
        assertThat(rules.get(4)).isEqualTo(new DatabaseRule("shop", "a"));
    }

    @Test
    void namesEveryMistake() {
        assertThatThrownBy(() -> RulesFile.parse("""
                        listeners: []
                        shardingRules:
                          - namespace: orders
                            key: {customer: 2}
                          - namespace: shop.orders
                          - namespace: shop.items
                            key: {sku: 2}
                          - {database: shop}
                        """, "rules.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("listeners")
                .hasMessageContaining("shardingRules[0].namespace")
                .hasMessageContaining("shardingRules[1].key: missing")
                .hasMessageContaining("sku: neither 1 nor \"hashed\"")
                .hasMessageContaining("shardingRules[3].primary: missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{namespace: a.b, key: {}} | key: no field",
                "{namespace: a.b, key: {x: -1}} | key: x: neither 1 nor",
                "{namespace: a.b, key: {x: text}} | key: x: neither 1 nor",
                "{namespace: a.b, key: {x: hashed, y: hashed}} | key: two hashed fields",
                "{namespace: a.b, key: {x: 1, x.y: 1}} | key: x.y lies inside x",
                "{namespace: a.b, key: {x.y: 1, x: 1}} | key: x.y lies inside x",
                "{namespace: a.b, key: {'': 1}} | key: \"\" is no path",
                "{namespace: a.b, key: {x..y: 1}} | key: \"x..y\" is no path",
                "{namespace: a.b, key: {$x: 1}} | key: \"$x\" is no path",
                "{namespace: a.b, key: {x: 1}, shards: 0} | shards: 0 (expected: 1..1000)",
                "{namespace: a.b, key: {x: 1}, shards: many} | shards: \"many\"",
                "{namespace: a.b, key: {x: 1}, bounds: old} | bounds: \"old\" (expected: fresh | unknown)",
                "{namespace: a.b, key: {x: 1}, splitAt: [{x: 1}], bounds: unknown} | bounds: of no effect beside splitAt",
                "{namespace: a.b, unsplittable: s, bounds: fresh} | bounds: of no effect beside unsplittable",
                "{namespace: a.b, key: {x: 1}, splitAt: []} | splitAt: no point",
                "{namespace: a.b, key: {x: 1}, splitAt: [{y: 1}]} | splitAt[0]: has {y} (expected: {x}",
                "{namespace: a.b, key: {x: 1, y: 1}, splitAt: [{y: 1, x: 1}]} | splitAt[0]: has {y, x}",
                "{namespace: a.b, key: {x: 1, y: 1}, splitAt: [{x: 1}]} | splitAt[0]: has {x}",
                "{namespace: a.b, key: {x: 1}, splitAt: [{x: 2}, {x: 1}]} | splitAt[1]: not above",
                "{namespace: a.b, key: {x: 1}, splitAt: [{x: 2}, {x: 2.0}]} | splitAt[1]: not above",
                "{namespace: a.b, key: {x: 1}, splitAt: [{x: z}, {x: 5}]} | splitAt[1]: not above",
                "{namespace: a.b, key: {x: 1}, splitAt: [{x: {$minKey: 1}}]} | splitAt[0]: MinKey in every field",
                "{namespace: a.b, key: {x: 1}, splitAt: [{x: {$maxKey: 1}}]} | splitAt[0]: MaxKey in every field",
                "{namespace: a.b, key: {x: hashed}, splitAt: [{x: text}]} | splitAt[0]: x: STRING",
                "{namespace: a.b, key: {x: hashed}, splitAt: [{x: 1.5}]} | splitAt[0]: x: DOUBLE",
                "{namespace: a.b, key: {x: 1}, splitAt: [{x: [1]}]} | splitAt[0]: x: ARRAY",
                "{namespace: a.b, key: {x: 1}, splitAt: [{x: {$oid: 1}}]} | splitAt[0]: x: no \"$oid\"",
                "{namespace: a.b, key: {x: 1}, splitAt: [5]} | splitAt[0]: a single value",
                "{namespace: a.b, key: {x: 1}, chunks: []} | chunks: no chunk",
                "{namespace: a.b, key: {x: 1}, chunks: [{min: {x: 1}, shard: s}]} | chunks[0].min: not MinKey",
                "{namespace: a.b, key: {x: 1}, chunks: [{min: {x: {$minKey: 1}}}]} | chunks[0].shard: missing",
                "{namespace: a.b, key: {x: 1}, chunks: [{min: {x: {$minKey: 1}}, shard: ' '}]} | chunks[0].shard: not one",
                "{namespace: a.b, key: {x: 1}, chunks: [{min: {x: {$minKey: 1}}, shard: s}], shards: 2} | shards: of no effect",
                "{namespace: a.b, key: {x: 1}, unsplittable: s} | key: a shard key beside unsplittable",
                "{namespace: a.b, unsplittable: s, splitAt: [{_id: 1}]} | splitAt: of no effect beside unsplittable",
                "{namespace: a.b, key: {x: 1}, collation: {strength: 2}} | collation: no locale",
                "{namespace: a.b, key: {x: 1}, collation: {locale: en, strong: 2}} | collation: unknown field \"strong\"",
                "{namespace: a.b, key: {x: 1}, primary: s} | primary: of no effect on a collection",
                "{namespace: a.b, key: {x: 1}, kay: 1} | kay: unknown key",
                "{namespace: admin.b, key: {x: 1}} | namespace: admin.b: its database is never sharded",
                "{namespace: a.system.buckets.b, key: {x: 1}} | namespace: a.system.buckets.b: holds the buckets",
                "{namespace: a.b, key: {x: 1}, timeseries: {timeField: t}} | key: x is neither the time field",
                "{namespace: a.b, key: {t: 1, m: 1}, timeseries: {timeField: t, metaField: m}} | key: t is the time field and not",
                "{namespace: a.b, key: {t: hashed}, timeseries: {timeField: t}} | key: t is the time field and hashed",
                "{namespace: a.b, key: {t: 1}, timeseries: {metaField: m}} | timeseries.timeField: missing",
                "{namespace: a.b, key: {t: 1}, timeseries: {timeField: t, granularity: days}} | granularity: \"days\"",
                "{namespace: a.b, key: {t: 1}, timeseries: {timeField: t, bucketMaxSpanSeconds: 0}} | bucketMaxSpanSeconds: 0",
                "{namespace: a.b, viewOn: c.d} | viewOn: c.d",
                "{namespace: a.b, viewOn: a.b} | viewOn: a.b is the view itself",
                "{namespace: a.b, viewOn: a.c, key: {x: 1}} | key: of no effect on a view",
                "{namespace: a.b, viewOn: a.c, pipeline: {$match: {}}} | pipeline: a mapping (expected: a list",
                "{database: a.b, primary: s} | database: \"a.b\" (expected: a name without a dot)",
                "{database: a, primary: s, shards: 3} | shards: of no effect on a database",
                "{clusterShards: []} | clusterShards: an empty list",
                "{clusterShards: {a: 1}} | clusterShards: a mapping",
                "{clusterShards: [a, b, a]} | clusterShards: a shard twice",
                "{clusterShards: [a, ' ']} | clusterShards: not one line",
                "{clusterShards: [a], namespace: a.b} | namespace: of no effect beside clusterShards",
                "{clusterShards: [a], database: b, primary: a} | primary: of no effect beside clusterShards"
            })
    void saysWhereAndWhatIsWrong(String rule, String expected) {
        String first = "shardingRules:\n  - {namespace: fine.one, key: {a: 1}}\n  - ";

        assertThatThrownBy(() -> RulesFile.parse(first + rule + "\n", "rules.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 3: shardingRules[1].")
                .hasMessageContaining(expected);
    }

    @Test
    void oneWrongPartDoesNotHideTheOthers() {
        assertThatThrownBy(() -> RulesFile.parse("""
                        shardingRules:
                          - namespace: nodot
                            key: {x: 2}
                            shards: -1
                            collation: {}
                            timeseries: {granularity: days}
                        """, "rules.yaml"))
                .hasMessageContaining("line 2: shardingRules[0].namespace")
                .hasMessageContaining("line 3: shardingRules[0].key: x: neither")
                .hasMessageContaining("line 4: shardingRules[0].shards: -1")
                .hasMessageContaining("line 5: shardingRules[0].collation: no locale")
                .hasMessageContaining("shardingRules[0].timeseries.timeField: missing");
    }

    @Test
    void theSameTwiceInOneFileIsAMistake() {
        assertThatThrownBy(() -> RulesFile.parse("""
                        shardingRules:
                          - {namespace: a.b, key: {x: 1}}
                          - {namespace: a.b, viewOn: a.c}
                          - {database: a, primary: s}
                          - {database: a, primary: s}
                          - clusterShards: [s]
                          - clusterShards: [t]
                        """, "rules.yaml"))
                .hasMessageContaining("line 7: shardingRules[5].clusterShards: the cluster's shards is declared by")
                .hasMessageContaining("line 3: shardingRules[1].namespace: a.b is declared by shardingRules[0] already")
                .hasMessageContaining("line 5: shardingRules[3].database: a is declared by shardingRules[2] already");
    }

    @Test
    void theConfigurationComesAfterItsFile(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("rules.yaml"), "shardingRules: [{namespace: a.b, key: {x: 1}}]");
        Path config = Files.writeString(folder.resolve("scatterguard.yaml"), """
                listeners: [{upstream: {kind: standalone, hosts: ["localhost:1"]}}]
                shardingRulesFile: rules.yaml
                shardingRules: [{namespace: a.b, key: {y: 1}}]
                """);
        ScatterguardConfig read = ConfigReader.read(config, Map.of());

        assertThat(read.shardingRules())
                .extracting(rule -> ((CollectionRule) rule).key().getFirstKey())
                .containsExactly("x", "y");
        assertThat(read.catalog().uri()).isNull();
    }

    @Test
    void aMistakeInTheRulesFileIsOneOfTheConfiguration(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("rules.yaml"), "shardingRules: [{namespace: a.b, key: {x: 3}}]");
        Path config = Files.writeString(folder.resolve("scatterguard.yaml"), """
                cluster: ""
                listeners: [{upstream: {kind: standalone, hosts: ["localhost:1"]}}]
                shardingRulesFile: rules.yaml
                """);

        assertThatThrownBy(() -> ConfigReader.read(config, Map.of()))
                .hasMessageContaining("shardingRulesFile: ")
                .hasMessageContaining("line 1: shardingRules[0].key: x: neither")
                .hasMessageContaining("cluster");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{$numberLong: sEcret} | no \"$numberLong\"",
                "{$numberInt: sEcret} | no \"$numberInt\"",
                "{$numberDouble: sEcret} | no \"$numberDouble\"",
                "{$numberDecimal: sEcret} | no \"$numberDecimal\"",
                "{$date: sEcret} | no \"$date\"",
                "{$oid: sEcret} | no \"$oid\"",
                "{$uuid: sEcret} | no \"$uuid\"",
                "{$binary: {base64: 'sEcret!', subType: '0'}} | no \"$binary\"",
                "{$timestamp: {t: sEcret, i: 1}} | no \"$timestamp\"",
                "{$regularExpression: {pattern: [sEcret], options: 5}} | no \"$regularExpression\"",
                ".nan | not a number as JSON",
                "0x1234 | not a number as JSON",
                "0123456 | not a number as JSON",
                "+1234 | not a number as JSON",
                "1_234 | not a number as JSON",
                "12345678901234567890 | not a number as JSON"
            })
    void whatIsNoExtendedJsonIsNamedByItsPlaceAndNeverRepeated(String value, String problem) {
        for (String place : List.of("splitAt: [{a: 5}, {a: %s}]", "chunks: [{min: {a: {b: %s}}, shard: s}]")) {
            String rules = "shardingRules: [{namespace: a.b, key: {a: 1}, " + place.formatted(value) + "}]";
            assertThatThrownBy(() -> RulesFile.parse(rules, "rules.yaml"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(problem)
                    .hasMessageMatching("(?s).*: a(\\.b)?: .*")
                    .satisfies(e -> assertThat(e.getMessage())
                            .doesNotContain("sEcret", "1234", "234", "no point")
                            .contains(": 1 error"));
        }
    }

    /** Another position would send the reader to a point that is right. */
    @Test
    void aWrongPointDoesNotShiftTheOthers() {
        assertThatThrownBy(() -> RulesFile.parse(
                        "shardingRules: [{namespace: a.b, key: {a: 1}, splitAt: [{a: {$oid: x}}, {a: 5}, {a: 3}, 7]}]",
                        "rules.yaml"))
                .hasMessageContaining("splitAt[0]: a: no \"$oid\"")
                .hasMessageContaining("splitAt[3]: a single value")
                .hasMessageContaining("2 errors");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"*a | a YAML alias", "{namespace: x} | expected: db.coll", "7 | expected: a mapping"})
    void oneMistakeInEveryLineIsNotListedForEver(String element, String problem) {
        String rules = "x: &a 1\nshardingRules: [" + (element + ", ").repeat(300_000) + "7]";
        assertThatThrownBy(() -> RulesFile.parse(rules, "rules.yaml"))
                .hasMessageContaining(problem)
                .hasMessageEndingWith("more errors than the 200 listed (repair those first)")
                .satisfies(e -> assertThat(((ConfigException) e).errors()).hasSize(ErrorList.MAX + 1));
    }

    @Test
    void asManyErrorsAsAreListedAreAll() {
        String rules = "shardingRules: [" + "{database: x, primary: ''}, ".repeat(ErrorList.MAX / 2) + "]";
        assertThatThrownBy(() -> RulesFile.parse(rules, "rules.yaml"))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("more errors"));
    }

    @Test
    void whatIsNoFileIsNotReadForEver(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> RulesFile.read(folder)).hasMessageContaining("a folder (expected: a file)");
        Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9});
        assertThatThrownBy(() -> RulesFile.read(latin)).hasMessageContaining("not UTF-8");
        Path endless = Path.of("/dev/zero");
        if (Files.exists(endless)) {
            assertThatThrownBy(() -> RulesFile.read(endless)).hasMessageContaining("expected: at most 67108864 bytes");
        }
    }
}
