package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.client;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.config.RuleMatchConfig;
import io.scatterguard.proxy.routing.Route;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Points 1 and 2 of the order: what passes before any rule is asked. */
class NeverRefusedTest {
    private static final CompiledPolicy STRICT = policy("mode: enforce, default: {reads: refuse, writes: refuse},"
            + " rules: [{name: all, match: {shape: [singleShard, multiShard, scatterGather], certainty: any},"
            + " action: refuse}]");

    private static String decide(CompiledPolicy policy, String command, Route route) {
        return text(policy.decide(command(command), route, CLIENT, NOW));
    }

    @Test
    void bypassAllowsEverythingAndSaysSo() {
        CompiledPolicy policy = policy("mode: bypass, default: {reads: refuse, writes: refuse}");

        assertThat(policy.isBypass()).isTrue();
        assertThat(decide(policy, "{find: 'c'}", RouteFixture.scatter("shop.c")))
                .isEqualTo("allow/bypass");
        assertThat(STRICT.isBypass()).isFalse();
        assertThat(decide(STRICT, "{find: 'c'}", RouteFixture.scatter("shop.c")))
                .isEqualTo("refuse/rule[all]");
    }

    @Test
    void everyVerdictCarriesTheVersion() {
        for (Route route : new Route[] {RouteFixture.scatter("shop.c"), RouteFixture.notRouted("shop.c")}) {
            assertThat(STRICT.decide(command("{find: 'c'}"), route, CLIENT, NOW).policyVersion())
                    .isEqualTo(STRICT.version())
                    .isEqualTo(PolicyFixture.VERSION);
        }
    }

    static Stream<CommandName> neverJudged() {
        return Arrays.stream(CommandName.values()).filter(name -> !RuleMatchConfig.isJudged(name));
    }

    /** Whatever a router makes of them. */
    @ParameterizedTest
    @MethodSource("neverJudged")
    void whatKeepsTheClusterGoingPasses(CommandName name) {
        String command = "{" + (name == CommandName.UNKNOWN ? "balancerStatus" : name.text()) + ": 1}";

        assertThat(decide(STRICT, command, RouteFixture.scatter("shop.c"))).isEqualTo("allow/neverRefused");
    }

    @Test
    void theKindsThatPassAreThese() {
        assertThat(neverJudged().map(CommandName::kind).distinct())
                .containsExactlyInAnyOrder(
                        CommandName.Kind.CURSOR,
                        CommandName.Kind.HANDSHAKE,
                        CommandName.Kind.AUTHENTICATION,
                        CommandName.Kind.USER_MANAGEMENT,
                        CommandName.Kind.SESSION,
                        CommandName.Kind.ROUTER_LOCAL,
                        CommandName.Kind.ADMINISTRATION);
    }

    @ParameterizedTest
    @CsvSource({
        "admin.c, allow/neverRefused",
        "config.chunks, allow/neverRefused",
        "local.oplog.rs, allow/neverRefused",
        "admins.c, refuse/rule[all]",
        "shop.admin, refuse/rule[all]",
        "configuration.c, refuse/rule[all]"
    })
    void theServersOwnDatabasesPass(String namespace, String expected) {
        assertThat(decide(STRICT, "{find: 'c'}", RouteFixture.scatter(namespace)))
                .isEqualTo(expected);
    }

    @Test
    void whatIsNotRoutedPasses() {
        assertThat(decide(STRICT, "{find: 'c'}", RouteFixture.notRouted("shop.c")))
                .isEqualTo("allow/neverRefused");
    }

    @Test
    void explainPassesUnlessARuleNamesIt() {
        CompiledPolicy named = policy("mode: enforce, rules: [{name: e, match: {commands: explain}, action: refuse}]");
        String explain = "{explain: {find: 'c'}}";

        assertThat(decide(STRICT, explain, RouteFixture.scatter("shop.c"))).isEqualTo("allow/neverRefused");
        assertThat(decide(named, explain, RouteFixture.scatter("shop.c"))).isEqualTo("refuse/rule[e]");
        assertThat(decide(named, explain, RouteFixture.uncertainScatter("shop.c")))
                .isEqualTo("allow/neverRefused");
        assertThat(decide(named, "{find: 'c'}", RouteFixture.scatter("shop.c"))).isEqualTo("log/default");
    }

    @Test
    void theIntrinsicPassesUnlessARuleNamesTheCommand() {
        CompiledPolicy named = policy(
                "mode: enforce, rules: [{name: n, match: {commands: [aggregate, listDatabases]}, action: refuse}]");
        CompiledPolicy shaped = policy("mode: enforce, rules: [{name: s, match: {commands: [aggregate, listDatabases],"
                + " shape: scatterGather}, action: refuse}]");
        String aggregate = "{aggregate: 'c', pipeline: [{$changeStream: {}}]}";

        assertThat(decide(STRICT, aggregate, RouteFixture.intrinsic("shop.c"))).isEqualTo("allow/neverRefused");
        assertThat(decide(named, aggregate, RouteFixture.intrinsic("shop.c"))).isEqualTo("refuse/rule[n]");
        assertThat(decide(named, "{dbStats: 1}", RouteFixture.intrinsic("shop")))
                .isEqualTo("allow/neverRefused");
        assertThat(decide(shaped, aggregate, RouteFixture.intrinsic("shop.c"))).isEqualTo("allow/neverRefused");
        assertThat(decide(shaped, aggregate, RouteFixture.scatter("shop.c"))).isEqualTo("refuse/rule[s]");
    }

    /** It runs on {@code admin} and nowhere else, so naming it would mean nothing otherwise. */
    @Test
    void onAdminOnlyWhatRunsNowhereElseCanBeNamed() {
        CompiledPolicy named = policy(
                "mode: enforce, rules: [{name: n, match: {commands: [aggregate, listDatabases]}, action: refuse}]");

        assertThat(decide(named, "{listDatabases: 1}", RouteFixture.intrinsic("admin")))
                .isEqualTo("refuse/rule[n]");
        assertThat(decide(named, "{aggregate: 1}", RouteFixture.intrinsic("admin")))
                .isEqualTo("allow/neverRefused");
        assertThat(decide(STRICT, "{listDatabases: 1}", RouteFixture.intrinsic("admin")))
                .isEqualTo("allow/neverRefused");
    }

    private static String decideFor(CompiledPolicy policy, String appName) {
        return text(policy.decide(command("{find: 'c'}"), RouteFixture.scatter("shop.c"), client(appName, null), NOW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodump",
                "mongorestore",
                "mongoexport",
                "mongoimport",
                "mongostat",
                "mongotop",
                "MongoDB Compass",
                "MongoDB Compass Readonly"
            })
    void theToolsPassUnlessTheyAreJudged(String appName) {
        CompiledPolicy judging = policy("mode: enforce, tools: judge, default: {reads: refuse}");

        assertThat(decideFor(STRICT, appName)).isEqualTo("allow/tool");
        assertThat(decideFor(judging, appName)).isEqualTo("refuse/default");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"mongosh 2.5.0", "mongodump2", "my mongodump", "MONGODUMP", "Compass", ""})
    void everybodyElseIsJudged(String appName) {
        assertThat(decideFor(STRICT, appName)).isEqualTo("refuse/rule[all]");
    }
}
