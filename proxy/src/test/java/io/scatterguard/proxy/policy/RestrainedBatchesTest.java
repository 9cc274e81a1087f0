package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What keeps one ruling from refusing a batch keeps no other from it: canary, baseline and rate are of a ruling each. */
class RestrainedBatchesTest {
    private static final StatementRoute SCATTER = RouteFixture.statement(Shape.SCATTER_GATHER, Certainty.EXACT);
    private static final StatementRoute MULTI = RouteFixture.statement(Shape.MULTI_SHARD, Certainty.EXACT);
    private static final StatementRoute SINGLE = RouteFixture.statement(Shape.SINGLE_SHARD, Certainty.EXACT);

    private static final String KNOWN = "00000000000000aa";
    private static final String NEW = "00000000000000bb";
    private static final String BASELINE = "baseline: [{id: " + KNOWN + "}], ";

    private final AtomicInteger shapesMade = new AtomicInteger();

    private CompiledPolicy compiled(String yaml) {
        return CompiledPolicy.compile(
                policy(yaml).config(),
                OnUnknown.ALLOW,
                command -> {
                    shapesMade.incrementAndGet();
                    return command.get("shape").string();
                },
                new Throttles(),
                1);
    }

    private static Verdict decide(CompiledPolicy policy, String shape, StatementRoute... statements) {
        return policy.decide(
                command("{delete: 'c', shape: '" + shape + "', $db: 'shop'}"),
                RouteFixture.batch("shop.c", statements),
                CLIENT,
                NOW);
    }

    private static String rules(String scatter, String multi) {
        return "mode: enforce, " + BASELINE + "rules: [{name: a, match: {shape: scatterGather}, " + scatter
                + "}, {name: b, match: {shape: multiShard}, " + multi + "}]";
    }

    /** The hash is outside of one hundredth of a percent of every rule here. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "action: refuse, canary: 0.01%   | action: refuse                               | bb | refuse/rule[b]",
                "action: refuse                  | action: refuse, canary: 0.01%                | bb | refuse/rule[a]",
                "action: refuse, canary: 0.01%   | action: refuse, canary: 0.01%                | bb | log!/canary[a]",
                "action: refuse, canary: 0.01%   | action: log                                  | bb | log!/canary[a]",
                "action: log                     | action: refuse, canary: 0.01%                | bb | log!/canary[b]",
                "action: refuse                  | action: refuse, exemptible: false            | aa | refuse/rule[b]",
                "action: refuse                  | action: refuse                               | aa | log/baseline[a]",
                "action: refuse                  | action: throttle, rate: 1/h                  | aa | log/baseline[a]",
                "action: refuse                  | action: log                                  | aa | log/baseline[a]",
            })
    void oneRefusalRefusesAll(String scatter, String multi, String shape, String verdict) {
        CompiledPolicy policy = compiled(rules(scatter, multi));
        String whole = shape.equals("aa") ? KNOWN : NEW;

        assertThat(text(decide(policy, whole, SCATTER, MULTI))).isEqualTo(verdict);
        assertThat(text(decide(policy, whole, SCATTER, SINGLE, MULTI))).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "action: refuse, canary: 0.01% | action: throttle, rate: 1/h                    | bb | log!/canary[a]",
                "action: refuse                | action: throttle, rate: 1/h, exemptible: false | aa | log/baseline[a]",
            })
    void aThrottleBesideItRefusesAboveItsRate(String scatter, String multi, String shape, String below) {
        CompiledPolicy policy = compiled(rules(scatter, multi));
        String whole = shape.equals("aa") ? KNOWN : NEW;

        assertThat(text(decide(policy, whole, SCATTER, MULTI))).isEqualTo(below);
        assertThat(text(decide(policy, whole, SCATTER, MULTI))).isEqualTo("refuse/throttled[b]");
    }

    @Test
    void eachOfSeveralThrottlesCounts() {
        CompiledPolicy policy = compiled(rules("action: throttle, rate: 9/h", "action: throttle, rate: 3/h"));
        for (int i = 0; i < 8; i++) {
            assertThat(text(decide(policy, NEW, SCATTER))).isEqualTo("log/rule[a]");
        }

        assertThat(text(decide(policy, NEW, SCATTER, MULTI))).isEqualTo("log/rule[b]");
        assertThat(text(decide(policy, NEW, SCATTER, MULTI))).isEqualTo("refuse/throttled[a]");
        assertThat(text(decide(policy, NEW, MULTI))).isEqualTo("log/rule[b]");
    }

    @Test
    void theStatementThatIsRefusedIsNamed() {
        CompiledPolicy policy = compiled(rules("action: refuse, canary: 0.01%", "action: refuse"));

        assertThat(decide(policy, NEW, SCATTER, SINGLE, MULTI).statement()).isEqualTo(2);
        assertThat(shapesMade).as("once for the whole command").hasValue(1);
    }

    /** In observe mode it is said as it would be. */
    @Test
    void observedItIsFlaggedByTheRuleThatWouldRefuse() {
        CompiledPolicy policy = compiled(
                rules("action: refuse, canary: 0.01%", "action: refuse").replace("enforce", "observe"));

        assertThat(text(decide(policy, NEW, SCATTER, MULTI))).isEqualTo("log!/rule[b]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wouldFail: refuse | action: refuse, canary: 0.01%     | bb | refuse/wouldFail",
                "wouldFail: refuse | action: refuse, exemptible: false | bb | refuse/rule[a]",
                "wouldFail: refuse | action: refuse                    | aa | log/baseline[a]",
                "wouldFail: log    | action: refuse, canary: 0.01%     | bb | log!/canary[a]",
                "wouldFail: refuse | action: throttle, rate: 1/h       | bb | refuse/wouldFail",
                "wouldFail: log    | action: allow                     | bb | log/wouldFail",
            })
    void whatAClusterWouldRefuseIsOneOfThem(String wouldFail, String scatter, String shape, String verdict) {
        CompiledPolicy policy = compiled(wouldFail + ", " + rules(scatter, "action: log"));
        WouldFail failing =
                new WouldFail(PredictedError.SHARD_KEY_NOT_FOUND, WouldFail.Cause.DELETE_ONE_WITHOUT_KEY, 0, true);
        Route route = RouteFixture.batch("shop.c", SCATTER);
        String whole = shape.equals("aa") ? KNOWN : NEW;

        assertThat(text(policy.decide(
                        command("{delete: 'c', shape: '" + whole + "', $db: 'shop'}"), route, failing, CLIENT, NOW)))
                .isEqualTo(verdict);
    }

    /** A statement that is exempted lifts nothing from another. */
    @Test
    void anExemptionBesideACanaryHidesNothing() {
        CompiledPolicy policy = compiled("exemptions: [{id: e, match: {namespace: shop.x}}], "
                + rules("action: refuse, canary: 0.01%", "action: refuse"));

        assertThat(text(decide(policy, NEW, SCATTER, MULTI))).isEqualTo("refuse/rule[b]");
    }
}
