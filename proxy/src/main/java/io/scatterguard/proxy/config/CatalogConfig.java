package io.scatterguard.proxy.config;

import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where the cluster's metadata is read from, and how often.
 *
 * @param uri the connection string; through the first listener's upstream unless another is configured
 * @param refresh how often the metadata is read again
 * @param onUnknown what is done with a command whose namespace's metadata cannot be read
 */
public record CatalogConfig(SecretUri uri, Duration refresh, OnUnknown onUnknown) {
    public static final Duration DEFAULT_REFRESH = Duration.ofSeconds(30);

    /** What is done with a command whose namespace's metadata cannot be read. */
    public enum OnUnknown implements Choice {
        ALLOW("allow"),
        REFUSE("refuse");

        private final String text;

        OnUnknown(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    public CatalogConfig {
        new Requirements()
                .range("refresh", refresh, Duration.ofSeconds(1), Duration.ofDays(1))
                .check();
    }

    /** The defaults: the metadata is read through {@code upstream} itself, reached as {@code tls} says. */
    public static CatalogConfig through(UpstreamConfig upstream, @Nullable ServerTlsConfig tls) {
        String options =
                tls == null ? "" : tls.hostnameCheck() ? "?tls=true" : "?tls=true&tlsAllowInvalidHostnames=true";
        String uri = upstream.hosts().stream()
                .map(HostAndPort::toString)
                .collect(Collectors.joining(",", "mongodb://", "/" + options));
        return new CatalogConfig(SecretUri.of(uri), DEFAULT_REFRESH, OnUnknown.ALLOW);
    }
}
