package io.scatterguard.proxy.session;

import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import org.jspecify.annotations.Nullable;

/**
 * What came out of judging one command.
 *
 * @param wouldFail what a sharded cluster would refuse about it; null if nothing, and where a router says so itself
 */
public record Judgement(
        Route route, Verdict verdict, @Nullable WouldFail wouldFail) {
    /** The cluster's error that the command is refused with; null for a refusal of ours, and where it is not refused. */
    @Nullable WouldFail failure() {
        return verdict.refused() && verdict.reason().equals(Reasons.WOULD_FAIL) ? wouldFail : null;
    }

    /** The same judgement with the statement that is refused in the place of the worst. */
    Judgement aboutItsStatement() {
        return new Judgement(route.about(verdict.statement()), verdict, wouldFail);
    }

    /** The same judgement on a command that contradicts itself: it is answered with the server's error. */
    Judgement malformed() {
        return new Judgement(
                route,
                new Verdict(Action.REFUSE, false, verdict.rule(), null, Reasons.MALFORMED, verdict.policyVersion()),
                wouldFail);
    }
}
