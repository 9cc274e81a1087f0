package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.client;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static io.scatterguard.proxy.policy.PolicyFixture.unacknowledged;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.WouldFail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Point 5 of the order: what a cluster sharded by the declared keys refuses. */
class WouldFailVerdictTest {
    private static final WouldFail CERTAIN =
            new WouldFail(PredictedError.SHARD_KEY_NOT_FOUND, WouldFail.Cause.DELETE_ONE_WITHOUT_KEY, 2, true);
    private static final WouldFail POSSIBLE =
            new WouldFail(PredictedError.INVALID_OPTIONS, WouldFail.Cause.KEY_CHANGE_OF_MANY, 2, false);
    private static final String DELETE = "{delete: 'c', $db: 'shop'}";
    private static final Route SINGLE = RouteFixture.route("shop.c", Shape.SINGLE_SHARD, Certainty.EXACT);

    private static String decide(String policy, CommandView command, Route route, WouldFail wouldFail) {
        return text(policy(policy).decide(command, route, wouldFail, CLIENT, NOW));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mode: enforce                                 | log/wouldFail",
                "mode: enforce, wouldFail: log                 | log/wouldFail",
                "mode: enforce, wouldFail: refuse              | refuse/wouldFail",
                "mode: observe, wouldFail: refuse              | log!/wouldFail",
                "mode: observe                                 | log/wouldFail",
                "mode: bypass, wouldFail: refuse               | allow/bypass"
            })
    void theModeDecides(String policy, String verdict) {
        assertThat(decide(policy, command(DELETE), SINGLE, CERTAIN)).isEqualTo(verdict);
    }

    @Test
    void onlyWhatIsCertainCounts() {
        String policy = "mode: enforce, wouldFail: refuse";
        assertThat(decide(policy, command(DELETE), SINGLE, POSSIBLE)).isEqualTo("allow/default");
        assertThat(decide(policy, command(DELETE), SINGLE, null)).isEqualTo("allow/default");
    }

    @Test
    void theStatementIsNamed() {
        assertThat(policy("mode: enforce, wouldFail: refuse")
                        .decide(command(DELETE), SINGLE, CERTAIN, CLIENT, NOW)
                        .statement())
                .isEqualTo(2);
    }

    /** A rule or a default that is as strict says more: it keeps its name, and its own refusal. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wouldFail: log, default: {writes: log}          | log/default",
                "wouldFail: refuse, default: {writes: log}       | refuse/wouldFail",
                "wouldFail: log, default: {writes: refuse}       | refuse/default",
                "wouldFail: refuse, default: {writes: refuse}    | refuse/default",
                "wouldFail: refuse, rules: [{name: r, action: allow}] | refuse/wouldFail",
                "wouldFail: refuse, rules: [{name: r, action: refuse}] | refuse/rule[r]"
            })
    void theStricterDecides(String policy, String verdict) {
        assertThat(decide("mode: enforce, " + policy, command(DELETE), RouteFixture.scatter("shop.c"), CERTAIN))
                .isEqualTo(verdict);
    }

    @Test
    void whatReachesEverythingByItsNatureIsJudgedToo() {
        CommandView command = command("{createIndexes: 'c', $db: 'shop'}");
        Route route = RouteFixture.intrinsic("shop.c");
        assertThat(decide("mode: enforce, wouldFail: refuse", command, route, CERTAIN))
                .isEqualTo("refuse/wouldFail");
        assertThat(decide("mode: enforce, wouldFail: refuse", command, route, null))
                .isEqualTo("allow/neverRefused");
    }

    @Test
    void exemptionsAndToolsPass() {
        CompiledPolicy policy = policy("mode: enforce, wouldFail: refuse, exemptions: [{id: known}]");
        CommandView exempted = command("{delete: 'c', comment: 'scatterguard:allow=known', $db: 'shop'}");
        assertThat(text(policy.decide(exempted, SINGLE, CERTAIN, CLIENT, NOW))).isEqualTo("allow/exempted(known)");
        ClientInfo tool = client("mongorestore", null);
        assertThat(text(policy.decide(command(DELETE), SINGLE, CERTAIN, tool, NOW)))
                .isEqualTo("allow/tool");
    }

    @Test
    void aRefusalNeedsAReply() {
        String policy = "mode: enforce, wouldFail: refuse";
        assertThat(decide(policy, unacknowledged(DELETE), SINGLE, CERTAIN)).isEqualTo("log!/unacknowledged");
        CommandView inTransaction =
                command("{delete: 'c', txnNumber: {$numberLong: '1'}, autocommit: false, $db: 'shop'}");
        assertThat(decide(policy, inTransaction, SINGLE, CERTAIN)).isEqualTo("refuse/wouldFail");
    }
}
