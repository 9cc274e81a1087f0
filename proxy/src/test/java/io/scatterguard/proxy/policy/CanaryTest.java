package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A canary refuses a stable part of the query shapes and says of the rest what it would do. */
class CanaryTest {
    private static final int SHAPES = 20_000;

    private static String shape(Random random) {
        return HexFormat.of().toHexDigits(random.nextLong());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 1_000, 5_000, 9_999, 10_000})
    void itHoldsAsManyAsItSays(int part) {
        Random random = new Random(7);
        int held = 0;
        for (int i = 0; i < SHAPES; i++) {
            held += Canary.holds("no-scans", shape(random), part) ? 1 : 0;
        }
        double expected = SHAPES * part / 10_000.0;

        assertThat((double) held)
                .isBetween(expected - 4 * Math.sqrt(expected) - 4, expected + 4 * Math.sqrt(expected) + 4);
    }

    /** A growing canary takes nothing back. */
    @Test
    void aLargerOneHoldsWhatASmallerOneDoes() {
        Random random = new Random(8);
        for (int i = 0; i < SHAPES; i++) {
            String shape = shape(random);
            if (Canary.holds("r", shape, 500)) {
                assertThat(Canary.holds("r", shape, 1_500)).isTrue();
            }
        }
    }

    /** Else the same few shapes would always be the first. */
    @Test
    void rulesHaveDifferentOnes() {
        Random random = new Random(9);
        int both = 0;
        for (int i = 0; i < SHAPES; i++) {
            String shape = shape(random);
            both += Canary.holds("a", shape, 1_000) && Canary.holds("b", shape, 1_000) ? 1 : 0;
        }

        assertThat(both).isBetween(100, 300);
    }

    /** By another implementation of the same hash: not to change from release to release, or shapes would swap places. */
    @ParameterizedTest
    @CsvSource({"no-scans, b877d4f5f43a820d, 6981", "no-scans, 0000000000000000, 739", "r, b877d4f5f43a820d, 7737"})
    void whichShapesItHoldsIsFixed(String rule, String shape, int smallest) {
        assertThat(Canary.holds(rule, shape, smallest)).isTrue();
        assertThat(Canary.holds(rule, shape, smallest - 1)).isFalse();
    }

    private static Map<String, Integer> verdicts(String policyYaml, int shapes) {
        CompiledPolicy policy = CompiledPolicy.compile(
                policy(policyYaml).config(),
                OnUnknown.ALLOW,
                command -> command.get("shape").string(),
                new Throttles(),
                1);
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, String> first = new HashMap<>();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < shapes; i++) {
                String verdict = text(policy.decide(
                        command("{find: 'c', shape: 'shape" + i + "'}"), RouteFixture.scatter("shop.c"), CLIENT, NOW));
                counts.merge(verdict, 1, Integer::sum);
                String before = first.putIfAbsent("shape" + i, verdict);
                assertThat(before == null || before.equals(verdict)).isTrue();
            }
        }
        return counts;
    }

    @Test
    void aRuleRefusesItsPartAndLogsTheRest() {
        Map<String, Integer> enforced = verdicts("mode: enforce, rules: [{name: r, action: refuse, canary: 10%}]", 500);

        assertThat(enforced.keySet()).containsExactly("log!/canary[r]", "refuse/rule[r]");
        assertThat(enforced.get("refuse/rule[r]")).isBetween(50, 160);
        Map<String, Integer> observed = verdicts("mode: observe, rules: [{name: r, action: refuse, canary: 10%}]", 500);
        assertThat(observed.keySet()).containsExactly("log!/canary[r]", "log!/rule[r]");
        assertThat(observed.get("log!/rule[r]")).isEqualTo(enforced.get("refuse/rule[r]"));
    }

    @Test
    void aThrottleMayHaveOne() {
        CompiledPolicy policy = CompiledPolicy.compile(
                policy("mode: enforce, rules: [{name: r, action: throttle, rate: 1/h, canary: 0.01%}]")
                        .config(),
                OnUnknown.ALLOW,
                command -> "a",
                new Throttles(),
                1);

        assertThat(Canary.holds("r", "a", 1)).isFalse();
        assertThat(text(policy.decide(command("{find: 'c'}"), RouteFixture.scatter("shop.c"), CLIENT, NOW)))
                .isEqualTo("log/rule[r]");
        assertThat(text(policy.decide(command("{find: 'c'}"), RouteFixture.scatter("shop.c"), CLIENT, NOW)))
                .isEqualTo("log!/canary[r]");
    }
}
