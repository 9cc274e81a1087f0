package io.scatterguard.proxy.session;

import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;

/** What came out of judging one command. */
public record Judgement(Route route, Verdict verdict) {
    /** The same judgement with the statement that is refused in the place of the worst. */
    Judgement aboutItsStatement() {
        return new Judgement(route.about(verdict.statement()), verdict);
    }

    /** The same judgement on a command that contradicts itself: it is answered with the server's error. */
    Judgement malformed() {
        return new Judgement(
                route,
                new Verdict(Action.REFUSE, false, verdict.rule(), null, Reasons.MALFORMED, verdict.policyVersion()));
    }
}
