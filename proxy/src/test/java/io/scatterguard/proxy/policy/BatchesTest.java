package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch with one refused statement is refused whole, whatever else is in it. */
class BatchesTest {
    private static final StatementRoute SCATTER = RouteFixture.statement(Shape.SCATTER_GATHER, Certainty.EXACT);
    private static final StatementRoute UNSURE_SCATTER =
            RouteFixture.statement(Shape.SCATTER_GATHER, Certainty.UPPER_BOUND);
    private static final StatementRoute MULTI = RouteFixture.statement(Shape.MULTI_SHARD, Certainty.EXACT);
    private static final StatementRoute SINGLE = RouteFixture.statement(Shape.SINGLE_SHARD, Certainty.EXACT);
    private static final StatementRoute ERROR = RouteFixture.error("shop.c").worst();
    private static final StatementRoute UNKNOWN =
            RouteFixture.unknown("shop.c", Shape.SCATTER_GATHER).worst();

    private static final String LENIENT = "mode: enforce, default: {reads: allow, writes: allow}, ";

    private static String decide(CompiledPolicy policy, StatementRoute... statements) {
        return decide(policy, "{delete: 'c'}", statements);
    }

    private static String decide(CompiledPolicy policy, String command, StatementRoute... statements) {
        return decide(policy, command, RouteFixture.batch("shop.c", statements));
    }

    private static String decide(CompiledPolicy policy, String command, Route route) {
        return text(policy.decide(command(command), route, CLIENT, NOW));
    }

    @Test
    void anUpperBoundStatementHidesNoCertainOne() {
        CompiledPolicy policy =
                policy(LENIENT + "rules: [{name: r, match: {shape: [multiShard, scatterGather]}, action: refuse}]");

        assertThat(decide(policy, MULTI)).isEqualTo("refuse/rule[r]");
        assertThat(decide(policy, UNSURE_SCATTER, MULTI)).isEqualTo("refuse/rule[r]");
        assertThat(decide(policy, UNSURE_SCATTER, SINGLE)).isEqualTo("allow/default");
        assertThat(decide(policy, UNSURE_SCATTER)).isEqualTo("allow/default");
    }

    @Test
    void aWorseStatementHidesNoMilderOneThatARuleMeans() {
        CompiledPolicy policy = policy(LENIENT + "rules: [{name: r, match: {shape: singleShard}, action: refuse}]");

        assertThat(decide(policy, SCATTER, MULTI, SINGLE)).isEqualTo("refuse/rule[r]");
        assertThat(decide(policy, SCATTER, MULTI)).isEqualTo("allow/default");
    }

    @Test
    void aRuleForUpperBoundsMatchesBesideACertainStatement() {
        CompiledPolicy policy = policy(LENIENT + "rules: [{name: r, match: {certainty: upperBound}, action: refuse}]");

        assertThat(decide(policy, SCATTER, UNSURE_SCATTER)).isEqualTo("refuse/rule[r]");
        assertThat(decide(policy, SCATTER)).isEqualTo("allow/default");
    }

    @Test
    void aRuleThatAllowsOneStatementAllowsNoOther() {
        CompiledPolicy policy = policy(LENIENT + "rules: [{name: let, match: {shape: multiShard}, action: allow},"
                + " {name: r, match: {shape: [multiShard, scatterGather]}, action: refuse}]");

        assertThat(decide(policy, MULTI, SINGLE)).isEqualTo("allow/rule[let]");
        assertThat(decide(policy, SCATTER, MULTI)).isEqualTo("refuse/rule[r]");
        assertThat(decide(policy, UNSURE_SCATTER, SCATTER, MULTI)).isEqualTo("refuse/rule[r]");
    }

    @Test
    void anExemptionLiftsNoRuleThatForbidsIt() {
        CompiledPolicy policy = policy(LENIENT + "rules: [{name: soft, match: {shape: scatterGather}, action: refuse},"
                + " {name: hard, match: {shape: multiShard}, action: refuse, exemptible: false}],"
                + " exemptions: [{id: e, match: {namespace: shop.c}}]");

        assertThat(decide(policy, SCATTER)).isEqualTo("allow/exempted[soft](e)");
        assertThat(decide(policy, SCATTER, MULTI)).isEqualTo("refuse/rule[hard]");
    }

    @Test
    void theDefaultsLookAtEveryStatement() {
        CompiledPolicy policy = policy("mode: enforce, default: {writes: refuse}");

        assertThat(decide(policy, UNSURE_SCATTER, SINGLE, SCATTER)).isEqualTo("refuse/default");
        assertThat(decide(policy, UNSURE_SCATTER, SINGLE)).isEqualTo("log/default");
        assertThat(decide(policy, UNKNOWN, SCATTER)).isEqualTo("refuse/default");
        assertThat(decide(policy, SINGLE, ERROR)).isEqualTo("allow/default");
    }

    @Test
    void oneStatementOnAnUnknownNamespaceIsTreatedAsTheCatalogSays() {
        CompiledPolicy refusing = policy(LENIENT.replaceAll(", $", ""), OnUnknown.REFUSE);
        CompiledPolicy allowing = policy(LENIENT.replaceAll(", $", ""), OnUnknown.ALLOW);

        assertThat(decide(refusing, SCATTER, SINGLE, UNKNOWN)).isEqualTo("refuse/catalogUnknown");
        assertThat(decide(allowing, SCATTER, SINGLE, UNKNOWN)).isEqualTo("allow/default");
    }

    /** One refused statement anywhere in a batch of every other kind. */
    @ParameterizedTest
    @ValueSource(strings = {"{update: 'c'}", "{delete: 'c'}", "{bulkWrite: 1}"})
    void theOrderOfStatementsIsNothing(String command) {
        CompiledPolicy policy = policy(LENIENT + "rules: [{name: r, match: {shape: multiShard}, action: refuse}]");
        List<StatementRoute> others = List.of(SCATTER, UNSURE_SCATTER, SINGLE, ERROR, UNKNOWN, SINGLE);

        assertThat(decide(policy, command, others.toArray(StatementRoute[]::new)))
                .isEqualTo("allow/default");
        for (int at = 0; at <= others.size(); at++) {
            List<StatementRoute> batch = new ArrayList<>(others);
            batch.add(at, MULTI);
            assertThat(decide(policy, command, batch.toArray(StatementRoute[]::new)))
                    .as("at %d", at)
                    .isEqualTo("refuse/rule[r]");
        }
    }

    /** It is sent to {@code admin} whatever it writes to. */
    @Test
    void aBulkWriteIsJudgedByTheNamespaceItWritesTo() {
        CompiledPolicy policy = policy(LENIENT + "rules: [{name: r, match: {namespace: shop.c}, action: refuse}]");
        String bulkWrite = "{bulkWrite: 1, ops: [], nsInfo: [{ns: 'shop.c'}], $db: 'admin'}";

        assertThat(decide(policy, bulkWrite, RouteFixture.scatter("shop.c"))).isEqualTo("refuse/rule[r]");
        assertThat(decide(policy, bulkWrite, RouteFixture.scatter("shop.d"))).isEqualTo("allow/default");
        assertThat(decide(policy, bulkWrite, RouteFixture.scatter("config.c"))).isEqualTo("allow/neverRefused");
    }

    /** As long as no collection is known that it writes to. */
    @Test
    void aBulkWriteOnNothingKnownIsJudgedAllTheSame() {
        CompiledPolicy policy = policy("mode: enforce, default: {writes: refuse}");

        assertThat(decide(policy, "{bulkWrite: 1}", RouteFixture.scatter("admin")))
                .isEqualTo("refuse/default");
        assertThat(decide(policy, "{bulkWrite: 1}", RouteFixture.uncertainScatter("admin")))
                .isEqualTo("log/default");
        assertThat(decide(policy, "{update: 'c'}", RouteFixture.scatter("admin")))
                .isEqualTo("allow/neverRefused");
    }
}
