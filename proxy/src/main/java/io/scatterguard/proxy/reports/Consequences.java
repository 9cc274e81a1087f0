package io.scatterguard.proxy.reports;

import io.scatterguard.proxy.policy.Reasons;
import java.util.Set;

/** Refusals that say nothing of the command that was refused. */
final class Consequences {
    private static final Set<String> REASONS =
            Set.of(Reasons.TRANSACTION_REFUSED, Reasons.INTERNAL_ERROR, Reasons.MALFORMED);

    private Consequences() {}

    static boolean isOf(String reason) {
        return REASONS.contains(reason);
    }
}
