package io.scatterguard.proxy.policy;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** Whether an exemption applies, and whether that is about to change. */
public enum ExemptionState {
    ACTIVE("active"),
    /** Applies, and its last day is at most {@link Expiry#NOTICE_DAYS} days ahead. */
    EXPIRING("expiring"),
    EXPIRED("expired");

    private final String text;

    ExemptionState(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /**
     * @param until the last day, in UTC; null for no end
     * @param today the present day in UTC
     */
    public static ExemptionState of(@Nullable LocalDate until, LocalDate today) {
        if (until == null || until.isAfter(today.plusDays(Expiry.NOTICE_DAYS))) {
            return ACTIVE;
        }
        return until.isBefore(today) ? EXPIRED : EXPIRING;
    }
}
