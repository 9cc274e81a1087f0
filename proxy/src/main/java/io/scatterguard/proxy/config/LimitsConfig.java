package io.scatterguard.proxy.config;

import java.time.Duration;

/**
 * Bounds that protect the proxy and what is behind it.
 *
 * @param maxConnections client connections at one time, over all listeners
 * @param firstByteTimeout how long a new connection may stay silent
 * @param connectTimeout how long connecting to the upstream may take
 * @param maxInFlight requests of one connection that wait for their replies
 * @param shutdownGrace how long commands in flight may take to finish at shutdown
 * @param tlsHandshakeTimeout how long a TLS handshake may take, with a client or with a server
 * @param maxTlsHandshakes TLS handshakes with clients at one time; further ones wait
 */
public record LimitsConfig(
        int maxConnections,
        Duration firstByteTimeout,
        Duration connectTimeout,
        int maxInFlight,
        Duration shutdownGrace,
        Duration tlsHandshakeTimeout,
        int maxTlsHandshakes) {
    public static final LimitsConfig STANDARD = new LimitsConfig(
            10_000,
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            1000,
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            256);

    public LimitsConfig {
        Duration millisecond = Duration.ofMillis(1);
        Duration hour = Duration.ofHours(1);
        new Requirements()
                .range("maxConnections", maxConnections, 1, 1_000_000)
                .range("firstByteTimeout", firstByteTimeout, millisecond, hour)
                .range("connectTimeout", connectTimeout, millisecond, hour)
                .range("maxInFlight", maxInFlight, 1, 100_000)
                .range("shutdownGrace", shutdownGrace, Duration.ZERO, hour)
                .range("tlsHandshakeTimeout", tlsHandshakeTimeout, millisecond, hour)
                .range("maxTlsHandshakes", maxTlsHandshakes, 1, 100_000)
                .check();
    }
}
