package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.ExemptionConfig;
import org.jspecify.annotations.Nullable;

/**
 * What the policy says of a command.
 *
 * @param action what is done
 * @param wouldRefuse true where the policy says refuse but the command is forwarded all the same ({@code action} is then
 *     {@code LOG}): in observe mode, where no reply is expected
 * @param rule the name of the rule that matched; null for the defaults
 * @param exemption the id of the exemption that let it pass; null if none
 * @param reason one word of {@link Reasons}
 * @param policyVersion the version of the policy that decided
 * @param statement the index of the statement that is refused, {@link #NO_STATEMENT} for any other verdict
 * @param explained of an {@code explain}, the verdict on the command inside it; null for anything else
 * @param rationale what the rule says about itself
 */
public record Verdict(
        Action action,
        boolean wouldRefuse,
        @Nullable String rule,
        @Nullable String exemption,
        String reason,
        long policyVersion,
        int statement,
        @Nullable Verdict explained,
        Rationale rationale) {
    /** The statement of a verdict that is about no particular one. */
    public static final int NO_STATEMENT = -1;

    /** How many characters the id of an exemption has at most, wherever it was named. */
    public static final int MAX_EXEMPTION_CHARS = ExemptionConfig.MAX_ID_CHARS;

    /** A verdict on the command as a whole. */
    public Verdict(
            Action action,
            boolean wouldRefuse,
            @Nullable String rule,
            @Nullable String exemption,
            String reason,
            long policyVersion) {
        this(action, wouldRefuse, rule, exemption, reason, policyVersion, NO_STATEMENT, null, Rationale.NONE);
    }

    /** The same verdict, with what its rule says about itself. */
    public Verdict because(Rationale of) {
        return new Verdict(action, wouldRefuse, rule, exemption, reason, policyVersion, statement, explained, of);
    }

    /** The same verdict because of statement {@code index}. */
    Verdict about(int index) {
        return new Verdict(action, wouldRefuse, rule, exemption, reason, policyVersion, index, explained, rationale);
    }

    /** The same verdict on an {@code explain} of a command that gets {@code verdict}. */
    public Verdict explaining(Verdict verdict) {
        return new Verdict(action, wouldRefuse, rule, exemption, reason, policyVersion, statement, verdict, rationale);
    }

    /** Whether it is anything to tell people: what is logged, refused or exempted. */
    public boolean isFinding() {
        return action != Action.ALLOW || exemption != null;
    }

    /** Whether the command is answered by us and not forwarded. */
    public boolean refused() {
        return action == Action.REFUSE;
    }
}
