package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.config.ActionChoice;
import io.scatterguard.proxy.config.ActionConfig;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.config.RuleConfig;
import java.time.Instant;
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

    private final ActionChoice choice;
    private final Origin origin;
    private final Restraint restraint;
    private final boolean refusesUnacknowledged;
    private final long version;
    private final Verdict verdict;
    private final Verdict belowRate;
    private final Verdict outsideCanary;
    private final Verdict known;
    private final Verdict unacknowledged;

    Ruling(ActionConfig action, Origin origin, Restraint.Aids aids, Mode mode, long version) {
        this.choice = action.choice();
        this.origin = origin;
        this.restraint = new Restraint(origin, action, aids);
        this.refusesUnacknowledged = aids.refusesUnacknowledged();
        this.version = version;
        this.verdict = switch (choice) {
            case ALLOW -> verdict(Action.ALLOW, false, origin.reason());
            case LOG -> verdict(Action.LOG, false, origin.reason());
            case THROTTLE -> refusal(mode, Reasons.THROTTLED);
            case REFUSE -> refusal(mode, origin.reason());
        };
        this.belowRate = verdict(Action.LOG, false, origin.reason());
        this.outsideCanary = verdict(Action.LOG, true, Reasons.CANARY);
        this.known = verdict(Action.LOG, false, Reasons.BASELINE);
        this.unacknowledged = verdict(Action.LOG, true, Reasons.UNACKNOWLEDGED);
    }

    private Verdict refusal(Mode mode, String reason) {
        return mode == Mode.ENFORCE ? verdict(Action.REFUSE, false, reason) : verdict(Action.LOG, true, reason);
    }

    private Verdict verdict(Action done, boolean wouldRefuse, String reason) {
        return new Verdict(done, wouldRefuse, origin.rule(), null, reason, version).because(origin.rationale());
    }

    /** Whether it lets pass what it is about, as no finding. */
    boolean isAllow() {
        return choice == ActionChoice.ALLOW;
    }

    /** Whether an exemption could change anything. */
    boolean isExemptible() {
        return origin.exemptible() && choice != ActionChoice.ALLOW;
    }

    /** Whether what it says is stricter than what {@code other} says. */
    boolean isStricterThan(Ruling other) {
        int byChoice = choice.compareTo(other.choice);
        return byChoice > 0 || (byChoice == 0 && restraint.perSecond() < other.restraint.perSecond());
    }

    /** Whether it outweighs {@code other} in a batch to which both apply: by its strictness, then by not being exemptible. */
    boolean outweighs(Ruling other) {
        return isStricterThan(other)
                || (!other.isStricterThan(this) && !origin.exemptible() && other.origin.exemptible());
    }

    /** The verdict where an exemption applies. */
    Verdict exempted(String exemption) {
        return new Verdict(Action.ALLOW, false, origin.rule(), exemption, Reasons.EXEMPTED, version)
                .because(origin.rationale());
    }

    /** Whether it refuses what nothing keeps it from refusing, or would in {@code enforce}. */
    private boolean mayRefuse() {
        return verdict.action() == Action.REFUSE || verdict.wouldRefuse();
    }

    /** Whether {@code answer}, which is its own, is the refusal that it is about, be it forwarded all the same. */
    boolean isRefusal(Verdict answer) {
        return mayRefuse() && (answer.equals(verdict) || answer.equals(unacknowledged));
    }

    /**
     * The verdict on {@code command}, which is borrowed.
     *
     * @param counts see {@link Question}
     */
    Verdict verdict(CommandView command, Instant now, boolean counts) {
        if (mayRefuse() && restraint.isAny()) {
            return verdict(new Question(command, now, counts));
        }
        return mayRefuse() ? unrestrained(command) : verdict;
    }

    /**
     * The verdict on a command. A refusal needs a reply to stand in: what expects none is forwarded and flagged, unless
     * {@code refuseUnacknowledged}.
     */
    Verdict verdict(Question question) {
        if (!mayRefuse()) {
            return verdict;
        }
        return switch (restraint.ask(question)) {
            case KNOWN -> known;
            case BELOW_RATE -> belowRate;
            case OUTSIDE_CANARY -> outsideCanary;
            case NONE -> unrestrained(question.command());
        };
    }

    private Verdict unrestrained(CommandView command) {
        if (verdict.action() != Action.REFUSE) {
            return verdict;
        }
        return refusesUnacknowledged || command.replyExpected() ? verdict : unacknowledged;
    }
}
