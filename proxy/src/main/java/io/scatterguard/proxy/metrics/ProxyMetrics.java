package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.scatterguard.proxy.otlp.OtlpSender;
import io.scatterguard.proxy.otlp.OtlpTarget;
import io.scatterguard.proxy.session.CommandMeter;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All meters of one process. {@link #commands()} is written by the event loops; everything else is bound once, by the classes
 * of this package whose names end in {@code Meters}, and read when somebody asks.
 */
public final class ProxyMetrics implements AutoCloseable {
    /** The content type of {@link #write} where nobody asks for another. */
    public static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private static final Duration PUSH_DEADLINE = Duration.ofSeconds(2);

    private final PrometheusMeterRegistry registry;
    private final CommandMeters commands;
    private @Nullable MetricsPush push;

    /**
     * @param cluster the label of every metric
     * @param topNamespaces how many namespaces have a label of their own among the findings; from 0 on
     * @param owners who owns what
     */
    public ProxyMetrics(String cluster, int topNamespaces, OwnerLookup owners) {
        this.registry = new PrometheusMeterRegistry(
                PrometheusConfig.DEFAULT, new PrometheusRegistry(), io.micrometer.core.instrument.Clock.SYSTEM);
        registry.throwExceptionOnRegistrationFailure();
        registry.config().commonTags(Tags.of("cluster", cluster));
        TopNamespaces namespaces = new TopNamespaces(topNamespaces);
        this.commands = new CommandMeters(registry, owners, new FindingCounters(registry, namespaces));
        Metric.LABELS_FOLDED.counter(registry, namespaces, TopNamespaces::folded, "namespace");
        Metric.LABELS_FOLDED.counter(registry, commands, CommandMeters::foldedOwners, "owner");
        Metric.INTERNAL_ERRORS.counter(registry, commands, CommandMeters::errors, "metrics");
    }

    /** What the sessions measure their commands by. */
    public CommandMeter commands() {
        return commands;
    }

    MeterRegistry registry() {
        return registry;
    }

    /**
     * Writes everything in one of the formats of Prometheus.
     *
     * @param accept the request's header {@code Accept}; null for {@link #TEXT}
     */
    public void write(OutputStream out, @Nullable String accept) throws IOException {
        registry.scrape(out, contentType(accept));
    }

    /** The content type of what {@link #write} writes for this {@code Accept}. */
    public static String contentType(@Nullable String accept) {
        boolean openMetrics = accept != null && accept.contains("application/openmetrics-text");
        return openMetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : TEXT;
    }

    /**
     * Sends everything to a collector as well, every {@code every} and once more when this is closed. At most once; what is
     * bound later is sent too.
     */
    public void pushTo(OtlpTarget target, Duration every, Clock clock) {
        push = MetricsPush.start(this, new OtlpSender(target, "metrics"), every, clock);
    }

    /** Sends what is to be sent once more, within 2 s. Blocks: not for an event loop. */
    @Override
    public void close() {
        close(PUSH_DEADLINE);
    }

    /** Likewise, within {@code deadline}. */
    void close(Duration deadline) {
        if (push != null) {
            push.close(deadline);
        }
        registry.close();
    }
}
