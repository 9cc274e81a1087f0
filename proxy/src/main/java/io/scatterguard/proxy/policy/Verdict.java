package io.scatterguard.proxy.policy;

import org.jspecify.annotations.Nullable;

/**
 * What the policy says of a command.
 *
 * @param action what is done
 * @param wouldRefuse true where the policy says refuse but the command is forwarded all the same ({@code action} is then
 *     {@code LOG}): in observe mode, inside a transaction, where no reply is expected
 * @param rule the name of the rule that matched; null for the defaults
 * @param exemption the id of the exemption that let it pass; null if none
 * @param reason one short phrase with a fixed vocabulary: {@code rule}, {@code default}, {@code exempted}, {@code
 *     neverRefused}, {@code tool}, {@code catalogUnknown}, {@code bypass}, {@code internalError}, {@code
 *     inTransaction}, {@code unacknowledged}
 * @param policyVersion the version of the policy that decided
 */
public record Verdict(
        Action action,
        boolean wouldRefuse,
        @Nullable String rule,
        @Nullable String exemption,
        String reason,
        long policyVersion) {
    /** Whether the command is answered by us and not forwarded. */
    public boolean refused() {
        return action == Action.REFUSE;
    }
}
