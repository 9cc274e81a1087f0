package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A throttle refuses above a rate and logs below it. */
class ThrottleRulesTest {
    private static final Route SCATTER = RouteFixture.scatter("shop.c");

    private static String decide(CompiledPolicy policy, String json) {
        return text(policy.decide(command(json), SCATTER, CLIENT, NOW));
    }

    private static List<String> decide(CompiledPolicy policy, String json, int times) {
        List<String> verdicts = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            verdicts.add(decide(policy, json));
        }
        return verdicts;
    }

    @Test
    void belowItIsLoggedAndAboveItIsRefused() {
        CompiledPolicy policy = policy("mode: enforce, rules: [{name: r, action: throttle, rate: 2/s}]");

        assertThat(decide(policy, "{find: 'c'}", 4))
                .containsExactly("log/rule[r]", "log/rule[r]", "refuse/throttled[r]", "refuse/throttled[r]");
        assertThat(decide(policy, "{count: 'c'}")).isEqualTo("log/rule[r]");
        assertThat(text(policy.decide(command("{find: 'c'}"), SCATTER, CLIENT, NOW.plusMillis(500))))
                .isEqualTo("log/rule[r]");
    }

    @Test
    void inObserveItSaysWhatItWouldRefuse() {
        CompiledPolicy policy = policy("mode: observe, rules: [{name: r, action: throttle, rate: 1/m}]");

        assertThat(decide(policy, "{find: 'c'}", 2)).containsExactly("log/rule[r]", "log!/throttled[r]");
    }

    @Test
    void theDefaultMayThrottle() {
        CompiledPolicy policy = policy("mode: enforce, default: {reads: throttle, writes: log, rate: 1/h}");

        assertThat(decide(policy, "{find: 'c'}", 2)).containsExactly("log/default", "refuse/throttled");
        assertThat(decide(policy, "{update: 'c'}", 2)).containsExactly("log/default", "log/default");
        assertThat(text(policy.decide(command("{find: 'c'}"), RouteFixture.uncertainScatter("shop.c"), CLIENT, NOW)))
                .isEqualTo("log/default");
    }

    @Test
    void inATransactionItRefusesAndWhatExpectsNoReplyIsForwarded() {
        CompiledPolicy policy = policy("mode: enforce, rules: [{name: r, action: throttle, rate: 1/h}]");
        String inTransaction = "{find: 'c', txnNumber: {$numberLong: '1'}, autocommit: false}";

        assertThat(decide(policy, inTransaction, 2)).containsExactly("log/rule[r]", "refuse/throttled[r]");
        CommandView unacknowledged = PolicyFixture.unacknowledged("{delete: 'c', $db: 'shop'}");
        policy.decide(unacknowledged, SCATTER, CLIENT, NOW);
        assertThat(text(policy.decide(unacknowledged, SCATTER, CLIENT, NOW))).isEqualTo("log!/unacknowledged[r]");
    }

    @Test
    void anExemptedCommandTakesNothing() {
        CompiledPolicy policy =
                policy("mode: enforce, rules: [{name: r, action: throttle, rate: 1/h}]," + " exemptions: [{id: e}]");

        assertThat(decide(policy, "{find: 'c', comment: 'scatterguard:allow=e'}", 3))
                .containsOnly("allow/exempted[r](e)");
        assertThat(decide(policy, "{find: 'c'}")).isEqualTo("log/rule[r]");
    }

    @Test
    void ofABatchTheLowestRateCounts() {
        CompiledPolicy policy = policy("mode: enforce, rules: ["
                + "{name: many, match: {shape: scatterGather}, action: throttle, rate: 100/s},"
                + "{name: few, match: {shape: multiShard}, action: throttle, rate: 99/s},"
                + "{name: never, match: {shape: singleShard}, action: refuse}]");
        Route batch = RouteFixture.batch(
                "shop.c",
                RouteFixture.statement(Shape.SCATTER_GATHER, Certainty.EXACT),
                RouteFixture.statement(Shape.MULTI_SHARD, Certainty.EXACT));
        Route worse = RouteFixture.batch(
                "shop.c",
                RouteFixture.statement(Shape.SCATTER_GATHER, Certainty.EXACT),
                RouteFixture.statement(Shape.SINGLE_SHARD, Certainty.EXACT));

        assertThat(text(policy.decide(command("{delete: 'c'}"), batch, CLIENT, NOW)))
                .isEqualTo("log/rule[few]");
        assertThat(text(policy.decide(command("{delete: 'c'}"), worse, CLIENT, NOW)))
                .isEqualTo("refuse/rule[never]");
    }

    @Test
    void theShapeIsMadeOnlyWhereAThrottleDecides() {
        AtomicInteger made = new AtomicInteger();
        Evidence evidence = command -> "shape" + made.incrementAndGet();
        CompiledPolicy policy = CompiledPolicy.compile(
                policy("mode: enforce, rules: [{name: r, match: {commands: find}, action: throttle, rate: 1/s},"
                                + " {name: s, match: {commands: count}, action: refuse}]")
                        .config(),
                OnUnknown.ALLOW,
                evidence,
                new Throttles(),
                1);

        decide(policy, "{count: 'c'}");
        decide(policy, "{distinct: 'c'}");
        policy.decide(command("{find: 'c'}"), RouteFixture.unsharded("shop.c"), CLIENT, NOW);
        assertThat(made).hasValue(0);
        decide(policy, "{find: 'c'}");
        assertThat(made).hasValue(1);
    }
}
