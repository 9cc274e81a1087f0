package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import org.junit.jupiter.api.Test;

/** With a baseline only what is new is refused. */
class BaselineTest {
    private static final String KNOWN = "00000000000000aa";
    private static final String NEW = "00000000000000bb";
    private static final String OVER = "00000000000000cc";

    private static Verdict verdict(String rules, String shape) {
        CompiledPolicy policy = CompiledPolicy.compile(
                policy(
                                "mode: enforce, default: {reads: refuse}, baseline: [{id: 00000000000000aa, namespace: shop.orders,"
                                        + " count: 5}, {id: 00000000000000cc, until: 2020-01-01}]" + rules)
                        .config(),
                OnUnknown.ALLOW,
                command -> command.get("shape").string(),
                new Throttles(),
                1);
        return policy.decide(
                command("{find: 'orders', filter: {}, shape: '" + shape + "', $db: 'shop'}"),
                RouteFixture.scatter("shop.orders"),
                CLIENT,
                NOW);
    }

    @Test
    void whatIsKnownIsLoggedAndWhatIsNewRefused() {
        Verdict known = verdict("", KNOWN);
        assertThat(known.action()).isEqualTo(Action.LOG);
        assertThat(known.wouldRefuse()).isFalse();
        assertThat(known.reason()).isEqualTo(Reasons.BASELINE);
        assertThat(verdict("", NEW).action()).isEqualTo(Action.REFUSE);
    }

    @Test
    void oneThatIsOverIsRefused() {
        assertThat(verdict("", OVER).action()).isEqualTo(Action.REFUSE);
    }

    /** A rule that cannot be exempted from cannot be got around by a baseline either. */
    @Test
    void aRuleMayHoldOverIt() {
        String rules = ", rules: [{name: never, match: {namespace: 'shop.*'}, action: refuse, exemptible: %s}]";
        assertThat(verdict(rules.formatted("false"), KNOWN).action()).isEqualTo(Action.REFUSE);
        Verdict lifted = verdict(rules.formatted("true"), KNOWN);
        assertThat(lifted.reason()).isEqualTo(Reasons.BASELINE);
        assertThat(lifted.rule()).isEqualTo("never");
    }
}
