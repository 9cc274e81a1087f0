package io.scatterguard.proxy.metrics;

import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Verdict;

/** What became of a request, as a label: the verdict, and where it differs from the action, what the policy wanted. */
enum Decision {
    ALLOW("allow"),
    LOG("log"),
    REFUSE("refuse"),
    /** Forwarded though the policy says refuse: in observe mode, inside a transaction, where no reply is expected. */
    WOULD_REFUSE("wouldRefuse"),
    /** Forwarded because of an exemption. */
    EXEMPT("exempt"),
    /** Handshakes, authentication, legacy messages, everything in bypass and before an authentication. */
    UNJUDGED("unjudged");

    private final String text;

    Decision(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    static Decision of(Verdict verdict) {
        if (verdict.refused()) {
            return REFUSE;
        } else if (verdict.wouldRefuse()) {
            return WOULD_REFUSE;
        } else if (verdict.exemption() != null) {
            return EXEMPT;
        } else if (verdict.action() == Action.ALLOW) {
            return verdict.reason().equals(Reasons.UNAUTHENTICATED) ? UNJUDGED : ALLOW;
        }
        return LOG;
    }

    /** Whether it is a finding: something that is recorded by default. */
    boolean isFinding() {
        return this != ALLOW && this != UNJUDGED;
    }
}
