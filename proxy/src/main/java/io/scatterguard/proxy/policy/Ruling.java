package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import org.jspecify.annotations.Nullable;

/**
 * What a rule or a default says, with the verdicts it can come to made in advance: judging allocates nothing.
 */
final class Ruling {
    private final Action action;
    private final boolean exemptible;
    private final @Nullable String rule;
    private final long version;
    private final Verdict verdict;
    private final Verdict unacknowledged;

    /** @param rule the rule's name; null for a default */
    Ruling(Action action, @Nullable String rule, boolean exemptible, String reason, Mode mode, long version) {
        this.action = action;
        this.exemptible = exemptible;
        this.rule = rule;
        this.version = version;
        boolean observed = action == Action.REFUSE && mode != Mode.ENFORCE;
        this.verdict = new Verdict(observed ? Action.LOG : action, observed, rule, null, reason, version);
        this.unacknowledged = new Verdict(Action.LOG, true, rule, null, Reasons.UNACKNOWLEDGED, version);
    }

    Action action() {
        return action;
    }

    /** Whether an exemption could change anything. */
    boolean isExemptible() {
        return exemptible && action != Action.ALLOW;
    }

    /** Whether it outweighs {@code other} in a batch to which both apply: by its action, then by not being exemptible. */
    boolean outweighs(Ruling other) {
        int byAction = action.compareTo(other.action);
        return byAction > 0 || (byAction == 0 && !exemptible && other.exemptible);
    }

    /** The verdict where an exemption applies. */
    Verdict exempted(String exemption) {
        return new Verdict(Action.ALLOW, false, rule, exemption, Reasons.EXEMPTED, version);
    }

    /**
     * The verdict on {@code command}, which is borrowed. A refusal needs a reply to stand in: what expects none is forwarded
     * and flagged, unless {@code refuseUnacknowledged}.
     */
    Verdict verdict(CommandView command, boolean refuseUnacknowledged) {
        if (verdict.action() != Action.REFUSE) {
            return verdict;
        }
        return refuseUnacknowledged || command.replyExpected() ? verdict : unacknowledged;
    }
}
