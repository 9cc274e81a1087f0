package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A rule says why it is there, whom to ask, and when it ends. */
class RuleStewardshipTest {
    private static Verdict decide(CompiledPolicy policy, Instant now) {
        return policy.decide(command("{find: 'c'}"), RouteFixture.scatter("shop.c"), CLIENT, now);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-12-14T23:59:59.999Z, refuse/rule[r]",
        "2026-12-15T00:00:00Z, log/rule[next]",
        "2030-01-01T00:00:00Z, log/rule[next]"
    })
    void aRuleThatIsOverLetsTheNextOneDecide(Instant now, String expected) {
        CompiledPolicy policy = policy(
                "mode: enforce, rules: [{name: r, action: refuse, until: 2026-12-14}, {name: next, action: log}]");

        assertThat(text(decide(policy, now))).isEqualTo(expected);
    }

    @Test
    void reasonAndOwnerAreOnTheVerdict() {
        CompiledPolicy policy = policy("mode: enforce, rules: [{name: r, match: {commands: find}, action: refuse,"
                + " reason: a scan costs a minute, owner: orders}, {name: bare, action: log}]");

        assertThat(decide(policy, NOW).rationale()).isEqualTo(new Rationale("a scan costs a minute", "orders"));
        assertThat(decide(policy("mode: observe, rules: [{name: bare, action: log}]"), NOW)
                        .rationale())
                .isEqualTo(Rationale.NONE);
    }

    @Test
    void anExemptedVerdictStillSaysWhoseRuleItWas() {
        CompiledPolicy policy = policy("mode: enforce, rules: [{name: r, action: refuse, owner: orders}],"
                + " exemptions: [{id: e, match: {commands: find}}]");

        assertThat(text(decide(policy, NOW))).isEqualTo("allow/exempted[r](e)");
        assertThat(decide(policy, NOW).rationale().owner()).isEqualTo("orders");
    }

    @Test
    void aRuleIsAnnouncedAFortnightBeforeItsEnd() {
        CompiledPolicy policy = policy("rules: [{name: old one, action: log, until: 2026-12-14, owner: orders},"
                + " {name: soon, action: log, until: 2026-12-29}, {name: later, action: log, until: 2026-12-30},"
                + " {name: endless, action: log}], exemptions: [{id: e, until: 2026-12-20}]");

        assertThat(policy.notices(LocalDate.parse("2026-12-15")))
                .containsExactly(
                        "exemption about to expire id=e owner=nobody until=2026-12-20",
                        "rule expired, no longer applies name=\"old one\" owner=\"orders\" until=2026-12-14",
                        "rule about to expire name=\"soon\" owner=nobody until=2026-12-29");
    }
}
