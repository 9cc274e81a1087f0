package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.Stewardship;
import org.jspecify.annotations.Nullable;

/**
 * What a rule says about itself to whom it stops.
 *
 * @param reason why it is there; null if it does not say
 * @param owner whom to ask; null if it does not say
 */
public record Rationale(@Nullable String reason, @Nullable String owner) {
    /** Says nothing. */
    public static final Rationale NONE = new Rationale(null, null);

    static Rationale of(Stewardship stewardship) {
        boolean nothing = stewardship.reason() == null && stewardship.owner() == null;
        return nothing ? NONE : new Rationale(stewardship.reason(), stewardship.owner());
    }
}
