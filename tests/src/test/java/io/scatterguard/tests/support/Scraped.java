package io.scatterguard.tests.support;

import io.scatterguard.proxy.config.HostAndPort;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a proxy shows at {@code /metrics}.
 *
 * @param values by the series: the name with its labels, as it stands there
 */
public record Scraped(Map<String, Double> values) {
    /** Asks the health bind of a proxy. */
    public static Scraped of(HostAndPort health) {
        HttpAnswer answer = HttpAnswer.get(health, "/metrics");
        if (answer.status() != 200) {
            throw new AssertionError("/metrics: " + answer.status());
        }
        Map<String, Double> values = new LinkedHashMap<>();
        answer.text().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int space = line.lastIndexOf(' ');
            values.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
        });
        return new Scraped(values);
    }

    /** All series. */
    public Set<String> series() {
        return values.keySet();
    }

    /** The sum of the series of {@code metric} that have all {@code labels}, each as {@code name="value"}. */
    public double sum(String metric, String... labels) {
        return values.entrySet().stream()
                .filter(series -> series.getKey().startsWith(metric + "{"))
                .filter(series -> Arrays.stream(labels).allMatch(series.getKey()::contains))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
