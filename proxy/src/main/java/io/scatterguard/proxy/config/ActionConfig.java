package io.scatterguard.proxy.config;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a rule does.
 *
 * @param choice what is done
 * @param rate what a {@code throttle} lets pass; null for any other choice
 * @param canary the part of all query shapes, in hundredths of a percent, that is refused in earnest, 1..10,000
 */
public record ActionConfig(ActionChoice choice, @Nullable RateConfig rate, int canary) {
    /** All query shapes, as {@link #canary}. */
    public static final int WHOLE = 10_000;

    static final String CANARY_EXPECTED = "a part like 10% or 0.5%, 0.01%..100%";
    static final String RATE_MISSING = "missing (expected: " + RateConfig.EXPECTED + ", for a throttle)";
    static final String RATE_UNUSED = "of no effect without a throttle (remove it)";

    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,2})?) ?%");

    public ActionConfig {
        boolean stops = choice == ActionChoice.THROTTLE || choice == ActionChoice.REFUSE;
        new Requirements()
                .that(choice != ActionChoice.THROTTLE || rate != null, "rate", RATE_MISSING)
                .that(choice == ActionChoice.THROTTLE || rate == null, "rate", RATE_UNUSED)
                .that(stops || canary == WHOLE, "canary", "of no effect where nothing is refused (remove it)")
                .that(canary > 0 && canary <= WHOLE, "canary", "out of range (expected: " + CANARY_EXPECTED + ")")
                .check();
    }

    /** What needs no more said about it. */
    public static ActionConfig plain(ActionChoice choice) {
        return new ActionConfig(choice, null, WHOLE);
    }

    /**
     * The canary spelt {@code text}.
     *
     * @throws IllegalArgumentException if it is no percentage
     */
    static int parseCanary(String text) {
        Matcher matcher = PERCENT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(CANARY_EXPECTED);
        }
        return new BigDecimal(matcher.group(1)).movePointRight(2).intValueExact();
    }
}
