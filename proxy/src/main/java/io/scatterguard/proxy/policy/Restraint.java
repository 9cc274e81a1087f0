package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.ActionConfig;
import io.scatterguard.proxy.config.RateConfig;
import org.jspecify.annotations.Nullable;

/** What keeps a rule or a default from refusing all that it matches: a rate for each query shape, a part of them. */
final class Restraint {
    /** What comes of asking. */
    enum Outcome {
        /** It is to be refused. */
        NONE,
        /** Its shape is in the baseline. */
        KNOWN,
        BELOW_RATE,
        /** It would be refused if the canary were larger. */
        OUTSIDE_CANARY
    }

    private final String rule;
    private final @Nullable RateConfig rate;
    private final int canary;
    private final boolean liftedByBaseline;
    private final Aids aids;

    /**
     * What all restraints of a policy share.
     *
     * @param evidence tells shapes apart
     * @param throttles what is left of the rates
     * @param baseline the shapes that are not refused
     * @param refusesUnacknowledged whether what expects no reply is refused too
     */
    record Aids(Evidence evidence, Throttles throttles, Baseline baseline, boolean refusesUnacknowledged) {}

    Restraint(Ruling.Origin origin, ActionConfig action, Aids aids) {
        this.rule = origin.rule() == null ? "" : origin.rule();
        this.liftedByBaseline = origin.exemptible() && !aids.baseline().isEmpty();
        this.rate = action.rate();
        this.canary = action.canary();
        this.aids = aids;
    }

    /** What a throttle lets pass in a second; infinite for what is none. */
    double perSecond() {
        return rate == null ? Double.POSITIVE_INFINITY : rate.perSecond();
    }

    /** Whether there is anything to ask. */
    boolean isAny() {
        return rate != null || canary != ActionConfig.WHOLE || liftedByBaseline;
    }

    /** Asks about a command; its shape is made only where it decides. */
    Outcome ask(Question question) {
        if (!isAny()) {
            return Outcome.NONE;
        }
        String shape = question.shape(aids.evidence());
        if (liftedByBaseline && aids.baseline().knows(shape, question.now())) {
            return Outcome.KNOWN;
        }
        if (rate != null && isBelow(rate, shape, question)) {
            return Outcome.BELOW_RATE;
        }
        return Canary.holds(rule, shape, canary) ? Outcome.NONE : Outcome.OUTSIDE_CANARY;
    }

    private boolean isBelow(RateConfig limit, String shape, Question question) {
        Throttles throttles = aids.throttles();
        return question.counts()
                ? throttles.admits(rule, shape, limit, question.now())
                : throttles.wouldAdmit(rule, shape, limit, question.now());
    }
}
