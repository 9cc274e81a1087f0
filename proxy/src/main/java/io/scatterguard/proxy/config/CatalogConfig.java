package io.scatterguard.proxy.config;

import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where the cluster's metadata is read from, and how often.
 *
 * @param uri the connection string; through the first listener's upstream unless another is configured; null where there is no
 *     metadata to read, in front of a replica set or a standalone whose keys are declared
 * @param refresh how often the metadata is read again
 * @param onUnknown what is done with a command whose namespace's metadata cannot be read
 * @param detail how much of it is read
 * @param loadTimeout how long a command waits for metadata of its namespace that is not loaded, or not lately; zero for not
 *     at all
 */
public record CatalogConfig(
        @Nullable SecretUri uri, Duration refresh, OnUnknown onUnknown, Detail detail, Duration loadTimeout) {
    public static final Duration DEFAULT_REFRESH = Duration.ofSeconds(30);

    public static final Duration DEFAULT_LOAD_TIMEOUT = Duration.ofSeconds(2);

    /** How much of the metadata is read. */
    public enum Detail implements Choice {
        CHUNKS("chunks"),
        /** The shard keys alone: enough for shapes, not for placement. */
        KEYS("keys");

        private final String text;

        Detail(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

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
                .range("loadTimeout", loadTimeout, Duration.ZERO, Duration.ofMinutes(1))
                .check();
    }

    /** The defaults: the metadata is read through {@code upstream} itself, reached as {@code tls} says. */
    public static CatalogConfig through(UpstreamConfig upstream, @Nullable ServerTlsConfig tls) {
        String options =
                tls == null ? "" : tls.hostnameCheck() ? "?tls=true" : "?tls=true&tlsAllowInvalidHostnames=true";
        String uri = upstream.hosts().stream()
                .map(HostAndPort::toString)
                .collect(Collectors.joining(",", "mongodb://", "/" + options));
        return of(SecretUri.of(uri));
    }

    /** The defaults where the metadata is at {@code uri}, or nowhere. */
    public static CatalogConfig of(@Nullable SecretUri uri) {
        return new CatalogConfig(uri, DEFAULT_REFRESH, OnUnknown.ALLOW, Detail.CHUNKS, DEFAULT_LOAD_TIMEOUT);
    }

    /** Whether the metadata is read with credentials: then the cluster has access control. */
    public boolean hasCredentials() {
        return uri != null && uri.hasCredentials();
    }

    /** The connection string of a catalog that has one. */
    public SecretUri requiredUri() {
        if (uri == null) {
            throw new IllegalStateException("catalog.uri: none (expected: a cluster whose metadata can be read)");
        }
        return uri;
    }
}
