package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.CollectionRule.Chunks;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.CollectionRule.SplitAt;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;

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
        assertThat(orders.distribution()).isEqualTo(new Shards(4));
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
}
