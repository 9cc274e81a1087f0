package io.scatterguard.proxy.config;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the sections {@code metrics}, {@code tracing}, {@code health} and {@code admin}. */
final class ObservationReader {
    private ObservationReader() {}

    static ObservationConfig observation(Section root) {
        ObservationConfig standard = ObservationConfig.STANDARD;
        Section metrics = root.child("metrics");
        int topNamespaces = metrics.integer("topNamespaces", standard.topNamespaces());
        MetricsPushConfig push = push(metrics.child("otlp"));
        TracingConfig tracing = tracing(root.child("tracing"));
        ObservationConfig.Health health = health(root.child("health"));
        ObservationConfig.Admin admin = admin(root.child("admin"));
        return root.build(() -> new ObservationConfig(topNamespaces, push, tracing, health, admin))
                .orElse(standard);
    }

    private static @Nullable MetricsPushConfig push(Section section) {
        if (section.isAbsent()) {
            return null;
        }
        Optional<OtlpEndpoint> collector = OtlpReader.endpoint(section, "/v1/metrics");
        Duration every = section.duration("every", MetricsPushConfig.DEFAULT_EVERY);
        return collector
                .flatMap(to -> section.build(() -> new MetricsPushConfig(to, every)))
                .orElse(null);
    }

    private static @Nullable TracingConfig tracing(Section section) {
        if (section.isAbsent()) {
            return null;
        }
        Optional<OtlpEndpoint> collector = OtlpReader.endpoint(section, "/v1/traces");
        int queueCapacity = section.integer("queueCapacity", TracingConfig.DEFAULT_QUEUE_CAPACITY);
        return collector
                .flatMap(to -> section.build(() -> new TracingConfig(to, queueCapacity)))
                .orElse(null);
    }

    private static ObservationConfig.@Nullable Health health(Section section) {
        if (section.isAbsent()) {
            return null;
        }
        section.require("bind", "host:port");
        Optional<HostAndPort> bind = bind(section);
        Duration maxCatalogAge = section.value("maxCatalogAge", Quantities.DURATION, Quantities::duration)
                .orElse(null);
        return bind.flatMap(at -> section.build(() -> new ObservationConfig.Health(at, maxCatalogAge)))
                .orElse(null);
    }

    /** Of a wrong token only that is said, and not that there is none. */
    private static ObservationConfig.@Nullable Admin admin(Section section) {
        if (section.isAbsent()) {
            return null;
        }
        Optional<HostAndPort> bind =
                section.has("bind") ? bind(section) : Optional.of(ObservationConfig.Admin.DEFAULT_BIND);
        Optional<Secret> token =
                section.secret("token", ObservationConfig.Admin.TOKEN_EXPECTED, ObservationReader::token);
        boolean wrong = section.has("token") && token.isEmpty();
        return bind.filter(at -> !wrong)
                .flatMap(at -> section.build(() -> new ObservationConfig.Admin(at, token.orElse(null))))
                .orElse(null);
    }

    private static Optional<HostAndPort> bind(Section section) {
        return section.value("bind", "host:port", text -> HostAndPort.parse(text, -1));
    }

    private static Secret token(String text) {
        boolean visible = text.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (text.length() < ObservationConfig.Admin.MIN_TOKEN_CHARS
                || text.length() > ObservationConfig.Admin.MAX_TOKEN_CHARS
                || !visible) {
            throw new IllegalArgumentException(
                    "not a token (expected: " + ObservationConfig.Admin.TOKEN_EXPECTED + ")");
        }
        return Secret.of(text);
    }
}
