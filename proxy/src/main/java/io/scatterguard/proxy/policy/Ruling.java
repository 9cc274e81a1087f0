package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.config.RuleConfig;
import org.jspecify.annotations.Nullable;

/**
 * What a rule or a default says, with the verdicts it can come to made in advance: judging allocates nothing.
 */
final class Ruling {
    /**
     * Whose ruling it is.
     *
     * @param rule the rule's name; null for a default
     * @param exemptible whether an exemption may lift it
     * @param reason one word of {@link Reasons}
     * @param rationale what the rule says about itself
     */
    record Origin(@Nullable String rule, boolean exemptible, String reason, Rationale rationale) {
        static Origin of(RuleConfig rule) {
            return new Origin(rule.name(), rule.exemptible(), Reasons.RULE, Rationale.of(rule.stewardship()));
        }

        /** Of a default, or whatever else is no rule. */
        static Origin noRule(String reason) {
            return new Origin(null, true, reason, Rationale.NONE);
        }
    }

    private final Action action;
    private final Origin origin;
    private final long version;
    private final Verdict verdict;
    private final Verdict inTransaction;
    private final Verdict unacknowledged;

    Ruling(Action action, Origin origin, Mode mode, long version) {
        this.action = action;
        this.origin = origin;
        this.version = version;
        boolean observed = action == Action.REFUSE && mode != Mode.ENFORCE;
        this.verdict = verdict(observed ? Action.LOG : action, observed, origin.reason());
        this.inTransaction = verdict(Action.LOG, true, Reasons.IN_TRANSACTION);
        this.unacknowledged = verdict(Action.LOG, true, Reasons.UNACKNOWLEDGED);
    }

    private Verdict verdict(Action done, boolean wouldRefuse, String reason) {
        return new Verdict(done, wouldRefuse, origin.rule(), null, reason, version).because(origin.rationale());
    }

    Action action() {
        return action;
    }

    /** Whether an exemption could change anything. */
    boolean isExemptible() {
        return origin.exemptible() && action != Action.ALLOW;
    }

    /** Whether it outweighs {@code other} in a batch to which both apply: by its action, then by not being exemptible. */
    boolean outweighs(Ruling other) {
        int byAction = action.compareTo(other.action);
        return byAction > 0 || (byAction == 0 && !origin.exemptible() && other.origin.exemptible());
    }

    /** The verdict where an exemption applies. */
    Verdict exempted(String exemption) {
        return new Verdict(Action.ALLOW, false, origin.rule(), exemption, Reasons.EXEMPTED, version)
                .because(origin.rationale());
    }

    /**
     * The verdict on {@code command}, which is borrowed. A refusal needs a reply to stand in, and inside a transaction
     * it would leave the earlier statements to be committed without this one; both are forwarded and flagged.
     */
    Verdict verdict(CommandView command) {
        if (verdict.action() != Action.REFUSE) {
            return verdict;
        }
        if (command.inTransaction()) {
            return inTransaction;
        }
        return command.replyExpected() ? verdict : unacknowledged;
    }
}
