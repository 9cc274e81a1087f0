package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static io.scatterguard.proxy.policy.PolicyFixture.unacknowledged;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandView;
import org.junit.jupiter.api.Test;

/** Point 7 of the order: where a refusal is only logged. */
class ForwardedRefusalTest {
    private static final String RULES =
            "rules: [{name: r, match: {namespace: shop.r}, action: refuse}], default: {reads: refuse, writes: refuse}";
    private static final CompiledPolicy ENFORCE = policy("mode: enforce, " + RULES);
    private static final CompiledPolicy OBSERVE = policy("mode: observe, " + RULES);
    private static final String DELETE = "{delete: 'c', $db: 'shop'}";
    private static final String IN_TRANSACTION =
            "{delete: 'c', txnNumber: {$numberLong: '1'}, autocommit: false, $db: 'shop'}";

    private static String decide(CompiledPolicy policy, CommandView command, String namespace) {
        return text(policy.decide(command, RouteFixture.scatter(namespace), CLIENT, NOW));
    }

    @Test
    void observeNeverRefuses() {
        assertThat(decide(OBSERVE, command(DELETE), "shop.c")).isEqualTo("log!/default");
        assertThat(decide(OBSERVE, command(DELETE), "shop.r")).isEqualTo("log!/rule[r]");
        assertThat(decide(ENFORCE, command(DELETE), "shop.r")).isEqualTo("refuse/rule[r]");
    }

    @Test
    void whatIsOnlyLoggedWouldNotHaveBeenRefused() {
        CompiledPolicy logging = policy("mode: observe, default: {writes: log}");

        assertThat(decide(logging, command(DELETE), "shop.c")).isEqualTo("log/default");
        assertThat(decide(logging, command(IN_TRANSACTION), "shop.c")).isEqualTo("log/default");
        assertThat(decide(logging, unacknowledged(DELETE), "shop.c")).isEqualTo("log/default");
    }

    /** It ends the transaction, which is not the policy's affair. */
    @Test
    void inATransactionARefusalIsOneLikeAnywhere() {
        assertThat(decide(ENFORCE, command(IN_TRANSACTION), "shop.r")).isEqualTo("refuse/rule[r]");
        assertThat(decide(OBSERVE, command(IN_TRANSACTION), "shop.r")).isEqualTo("log!/rule[r]");
    }

    @Test
    void whereNoReplyIsExpectedARefusalIsLogged() {
        assertThat(decide(ENFORCE, unacknowledged(DELETE), "shop.r")).isEqualTo("log!/unacknowledged[r]");
        assertThat(decide(ENFORCE, unacknowledged(DELETE), "shop.c")).isEqualTo("log!/unacknowledged");
        assertThat(decide(OBSERVE, unacknowledged(DELETE), "shop.c")).isEqualTo("log!/default");
        assertThat(decide(ENFORCE, command("{delete: 'c', writeConcern: {w: 0}}"), "shop.c"))
                .isEqualTo("refuse/default");
    }

    @Test
    void anExemptionComesFirst() {
        CompiledPolicy policy =
                policy("mode: enforce, " + RULES + ", exemptions: [{id: e, match: {commands: delete}}]");

        assertThat(decide(policy, unacknowledged(DELETE), "shop.c")).isEqualTo("allow/exempted(e)");
        assertThat(decide(policy, command(IN_TRANSACTION), "shop.r")).isEqualTo("allow/exempted[r](e)");
    }
}
