package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Finding;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@link AllowBroadcast} says, understood.
 *
 * @param until the last day; null for no end
 * @param ids empty for all
 */
record Allowance(String reason, String owner, @Nullable LocalDate until, Set<String> ids) {
    Allowance {
        ids = Set.copyOf(ids);
        if (reason.isBlank()) {
            throw new IllegalArgumentException("@AllowBroadcast.reason: blank (expected: why the broadcast may be)");
        }
    }

    /** @throws IllegalArgumentException if a value is wrong */
    static Allowance of(AllowBroadcast annotation) {
        String until = annotation.until();
        try {
            return new Allowance(
                    annotation.reason(),
                    annotation.owner(),
                    until.isEmpty() ? null : LocalDate.parse(until),
                    Set.of(annotation.ids()));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "@AllowBroadcast.until: \"" + until + "\" (expected: a day like 2027-03-31)", e);
        }
    }

    boolean isOver(LocalDate today) {
        return until != null && today.isAfter(until);
    }

    boolean covers(Finding finding) {
        return ids.isEmpty() || ids.contains(finding.id());
    }

    @Override
    public String toString() {
        return reason + (owner.isEmpty() ? "" : ", owner " + owner) + (until == null ? "" : ", until " + until);
    }
}
