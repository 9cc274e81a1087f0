package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.client;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Points 3 and 4 of the order: the first rule that matches, else the defaults. */
class RulesAndDefaultsTest {
    private static final String FIND = "{find: 'c'}";

    private static String decide(CompiledPolicy policy, String command, Route route) {
        return decide(policy, command, route, CLIENT);
    }

    private static String decide(CompiledPolicy policy, String command, Route route, ClientInfo client) {
        return text(policy.decide(command(command), route, client, NOW));
    }

    /** A rule that refuses what {@code match} says, and no finding by default. */
    private static CompiledPolicy refusing(String match) {
        return policy("mode: enforce, default: {reads: allow, writes: allow}," + " rules: [{name: r, match: {" + match
                + "}, action: refuse}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                      | SCATTER_GATHER | EXACT       | refuse/rule[r]",
                "''                                      | SCATTER_GATHER | UPPER_BOUND | allow/default",
                "''                                      | MULTI_SHARD    | EXACT       | allow/default",
                "''                                      | SINGLE_SHARD   | EXACT       | allow/default",
                "''                                      |                | EXACT       | allow/default",
                "'shape: multiShard'                     | MULTI_SHARD    | EXACT       | refuse/rule[r]",
                "'shape: multiShard'                     | SCATTER_GATHER | EXACT       | allow/default",
                "'shape: [singleShard, multiShard]'      | SINGLE_SHARD   | EXACT       | refuse/rule[r]",
                "'shape: [singleShard, multiShard]'      | SCATTER_GATHER | EXACT       | allow/default",
                "'certainty: any'                        | SCATTER_GATHER | UPPER_BOUND | refuse/rule[r]",
                "'certainty: any'                        | SCATTER_GATHER | EXACT       | refuse/rule[r]",
                "'certainty: upperBound'                 | SCATTER_GATHER | UPPER_BOUND | refuse/rule[r]",
                "'certainty: upperBound'                 | SCATTER_GATHER | EXACT       | allow/default",
                "'certainty: exact'                      | SCATTER_GATHER | UPPER_BOUND | allow/default",
                "'commands: find'                        | SCATTER_GATHER | EXACT       | refuse/rule[r]",
                "'commands: find'                        |                | EXACT       | allow/default",
                "'commands: [count, aggregate]'          | SCATTER_GATHER | EXACT       | allow/default",
                "'namespace: shop.c'                     | SCATTER_GATHER | EXACT       | refuse/rule[r]",
                "'namespace: shop.d'                     | SCATTER_GATHER | EXACT       | allow/default",
                "'namespace: shop'                       | SCATTER_GATHER | EXACT       | allow/default",
                "'namespace: [other.*, \"*.c\"]'         | SCATTER_GATHER | EXACT       | refuse/rule[r]",
                "'namespace: shop.*, commands: [delete]' | SCATTER_GATHER | EXACT       | allow/default",
            })
    void aRuleMatchesWhatItSays(String match, Shape shape, Certainty certainty, String expected) {
        assertThat(decide(refusing(match), FIND, RouteFixture.route("shop.c", shape, certainty)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "appName: web      | web     |      | refuse/rule[r]",
                "appName: web      | web2    |      | allow/default",
                "appName: web      |         |      | allow/default",
                "appName: \"*\"    |         |      | allow/default",
                "appName: \"w?b*\" | web2    |      | refuse/rule[r]",
                "user: ann         | web     | ann  | refuse/rule[r]",
                "user: ann         | web     | Ann  | allow/default",
                "user: \"*\"       | web     |      | allow/default",
            })
    void aRuleMatchesItsClients(String match, String appName, String user, String expected) {
        assertThat(decide(refusing(match), FIND, RouteFixture.scatter("shop.c"), client(appName, user)))
                .isEqualTo(expected);
    }

    @Test
    void theFirstRuleThatMatchesDecides() {
        String rules = "mode: enforce, rules: [{name: other, match: {namespace: shop.d}, action: refuse},"
                + " {name: let, match: {commands: find}, action: allow},"
                + " {name: note, match: {commands: count}, action: log},"
                + " {name: all, action: refuse}]";
        CompiledPolicy policy = policy(rules);
        Route route = RouteFixture.scatter("shop.c");

        assertThat(decide(policy, FIND, route)).isEqualTo("allow/rule[let]");
        assertThat(decide(policy, "{count: 'c'}", route)).isEqualTo("log/rule[note]");
        assertThat(decide(policy, "{distinct: 'c'}", route)).isEqualTo("refuse/rule[all]");
        assertThat(decide(policy, FIND, RouteFixture.scatter("shop.d"))).isEqualTo("refuse/rule[other]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c'}          | refuse/default | log/default",
                "{aggregate: 'c'}     | refuse/default | log/default",
                "{mapReduce: 'c'}     | refuse/default | log/default",
                "{update: 'c'}        | allow/default  | refuse/default",
                "{findAndModify: 'c'} | allow/default  | refuse/default",
                "{bulkWrite: 1}       | allow/default  | refuse/default",
            })
    void readsAndWritesHaveTheirDefaults(String command, String strictReads, String strictWrites) {
        CompiledPolicy reads = policy("mode: enforce, default: {reads: refuse, writes: allow}");
        CompiledPolicy writes = policy("mode: enforce, default: {reads: log, writes: refuse}");

        assertThat(decide(reads, command, RouteFixture.scatter("shop.c"))).isEqualTo(strictReads);
        assertThat(decide(writes, command, RouteFixture.scatter("shop.c"))).isEqualTo(strictWrites);
    }

    @ParameterizedTest
    @CsvSource({"refuse, log/default", "log, log/default", "allow, allow/default"})
    void anUpperBoundIsLoggedAtMost(String action, String expected) {
        CompiledPolicy policy = policy("mode: enforce, default: {reads: " + action + ", writes: " + action + "}");

        assertThat(decide(policy, FIND, RouteFixture.uncertainScatter("shop.c")))
                .isEqualTo(expected);
        assertThat(decide(policy, "{delete: 'c'}", RouteFixture.uncertainScatter("shop.c")))
                .isEqualTo(expected);
    }

    @Test
    void onlyScatterGatherIsAFindingByDefault() {
        CompiledPolicy policy = policy("mode: enforce, default: {reads: refuse, writes: refuse}");

        for (Shape shape : new Shape[] {Shape.SINGLE_SHARD, Shape.MULTI_SHARD, null}) {
            assertThat(decide(policy, FIND, RouteFixture.route("shop.c", shape, Certainty.EXACT)))
                    .isEqualTo("allow/default");
        }
        assertThat(decide(policy, FIND, RouteFixture.unsharded("shop.c"))).isEqualTo("allow/default");
    }

    @Test
    void whatTheRouterWouldRejectIsLeftToIt() {
        CompiledPolicy policy = policy("mode: enforce, default: {writes: refuse},"
                + " rules: [{name: r, match: {commands: update, certainty: any}, action: refuse}]");

        assertThat(decide(policy, "{update: 'c'}", RouteFixture.error("shop.c")))
                .isEqualTo("allow/default");
    }

    @Test
    void aBatchWithOneCertainBroadcastIsCertain() {
        CompiledPolicy policy = policy("mode: enforce, default: {writes: refuse}");
        StatementRoute certain = RouteFixture.statement(Shape.SCATTER_GATHER, Certainty.EXACT);
        StatementRoute uncertain = RouteFixture.statement(Shape.SCATTER_GATHER, Certainty.UPPER_BOUND);
        StatementRoute single = RouteFixture.statement(Shape.SINGLE_SHARD, Certainty.EXACT);

        assertThat(decide(policy, "{delete: 'c'}", RouteFixture.batch("shop.c", uncertain, single, certain)))
                .isEqualTo("refuse/default");
        assertThat(decide(policy, "{delete: 'c'}", RouteFixture.batch("shop.c", certain, uncertain)))
                .isEqualTo("refuse/default");
        assertThat(decide(policy, "{delete: 'c'}", RouteFixture.batch("shop.c", uncertain, single)))
                .isEqualTo("log/default");
    }

    @Test
    void anUnknownNamespaceIsTreatedAsTheCatalogSays() {
        String yaml = "mode: enforce, default: {reads: refuse}";
        CompiledPolicy allowing = policy(yaml, OnUnknown.ALLOW);
        CompiledPolicy refusing = policy(yaml, OnUnknown.REFUSE);
        CompiledPolicy observing = policy("mode: observe", OnUnknown.REFUSE);

        for (Shape shape : new Shape[] {Shape.SCATTER_GATHER, null}) {
            Route route = RouteFixture.unknown("shop.c", shape);
            assertThat(decide(allowing, FIND, route)).isEqualTo("allow/catalogUnknown");
            assertThat(decide(refusing, FIND, route)).isEqualTo("refuse/catalogUnknown");
            assertThat(decide(observing, FIND, route)).isEqualTo("log!/catalogUnknown");
            assertThat(decide(refusing, "{explain: {find: 'c'}}", route)).isEqualTo("allow/neverRefused");
        }
        assertThat(decide(refusing, "{find: 'c'}", RouteFixture.unknown("config.c", null)))
                .isEqualTo("allow/neverRefused");
    }
}
