package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.config.ActionConfig;
import io.scatterguard.proxy.config.RateConfig;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What keeps a rule or a default from refusing all that it matches: a rate for each query shape, a part of them. */
final class Restraint {
    /** What comes of asking. */
    enum Outcome {
        /** It is to be refused. */
        NONE,
        BELOW_RATE,
        /** It would be refused if the canary were larger. */
        OUTSIDE_CANARY
    }

    private final String rule;
    private final @Nullable RateConfig rate;
    private final int canary;
    private final Aids aids;

    /**
     * What all restraints of a policy share.
     *
     * @param evidence tells shapes apart
     * @param throttles what is left of the rates
     */
    record Aids(Evidence evidence, Throttles throttles) {}

    /** @param rule the rule's name; empty for a default */
    Restraint(String rule, ActionConfig action, Aids aids) {
        this.rule = rule;
        this.rate = action.rate();
        this.canary = action.canary();
        this.aids = aids;
    }

    /** What a throttle lets pass in a second; infinite for what is none. */
    double perSecond() {
        return rate == null ? Double.POSITIVE_INFINITY : rate.perSecond();
    }

    /** Asks about {@code command}, which is borrowed and counts from now on; its shape is made only where it decides. */
    Outcome ask(CommandView command, Instant now) {
        if (rate == null && canary == ActionConfig.WHOLE) {
            return Outcome.NONE;
        }
        String shape = aids.evidence().shapeHash(command);
        if (rate != null && aids.throttles().admits(rule, shape, rate, now)) {
            return Outcome.BELOW_RATE;
        }
        return Canary.holds(rule, shape, canary) ? Outcome.NONE : Outcome.OUTSIDE_CANARY;
    }
}
