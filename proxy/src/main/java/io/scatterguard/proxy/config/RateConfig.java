package io.scatterguard.proxy.config;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How often something may happen.
 *
 * @param permits how many times in each period, and at once, 1..1,000,000
 * @param period one second, minute or hour
 */
public record RateConfig(int permits, Duration period) {
    static final String EXPECTED = "a rate like 10/s, 600/m or 1000/h, 1..1000000";

    private static final int MAX_PERMITS = 1_000_000;
    private static final Pattern TEXT = Pattern.compile("(\\d{1,7}) ?/ ?([smh])");
    private static final Map<String, Duration> PERIODS =
            Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1));

    public RateConfig {
        if (permits < 1 || permits > MAX_PERMITS) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: 1.." + MAX_PERMITS + ")");
        }
    }

    /**
     * The rate spelt {@code text}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static RateConfig parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        Duration period = matcher.matches() ? PERIODS.get(matcher.group(2)) : null;
        if (period == null) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new RateConfig(Integer.parseInt(matcher.group(1)), period);
    }

    /** How many times a second. */
    public double perSecond() {
        return permits / (double) period.toSeconds();
    }
}
