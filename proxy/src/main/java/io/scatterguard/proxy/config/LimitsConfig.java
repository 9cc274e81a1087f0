package io.scatterguard.proxy.config;

import java.time.Duration;

/**
 * Bounds that protect the proxy and what is behind it.
 *
 * @param maxConnections client connections at one time, over all listeners
 * @param maxConnectionsPerAddress client connections of one address at one time; 0 for no limit
 * @param connectionRate new connections of one address a second; 0 for no limit
 * @param handshakeTimeout how long a new connection may take to the end of its first request
 * @param idleTimeout how long a connection may be idle; zero for no limit
 * @param connectTimeout how long connecting to the upstream may take
 * @param maxInFlight requests of one connection that wait for their replies
 * @param requestBuffer bytes that large requests may hold in the whole process
 * @param requestBufferTimeout how long a large request may wait for room
 * @param requestStallTimeout how long a large request that has room may not move
 * @param shutdownGrace how long commands in flight may take to finish at shutdown
 * @param tlsHandshakeTimeout how long a TLS handshake may take, with a client or with a server
 * @param maxTlsHandshakes TLS handshakes with clients at one time; further ones wait
 */
public record LimitsConfig(
        int maxConnections,
        int maxConnectionsPerAddress,
        int connectionRate,
        Duration handshakeTimeout,
        Duration idleTimeout,
        Duration connectTimeout,
        int maxInFlight,
        long requestBuffer,
        Duration requestBufferTimeout,
        Duration requestStallTimeout,
        Duration shutdownGrace,
        Duration tlsHandshakeTimeout,
        int maxTlsHandshakes) {
    /** No server takes a larger message; a request larger than the budget would have to be refused. */
    static final long LEAST_REQUEST_BUFFER = 64L << 20;

    public static final LimitsConfig STANDARD = new LimitsConfig(
            10_000,
            0,
            0,
            Duration.ofSeconds(30),
            Duration.ZERO,
            Duration.ofSeconds(5),
            1000,
            256L << 20,
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            256);

    public LimitsConfig {
        Duration millisecond = Duration.ofMillis(1);
        Duration hour = Duration.ofHours(1);
        new Requirements()
                .range("maxConnections", maxConnections, 1, 1_000_000)
                .range("maxConnectionsPerAddress", maxConnectionsPerAddress, 0, 1_000_000)
                .range("connectionRate", connectionRate, 0, 1_000_000)
                .range("handshakeTimeout", handshakeTimeout, millisecond, hour)
                .range("idleTimeout", idleTimeout, Duration.ZERO, Duration.ofDays(7))
                .range("connectTimeout", connectTimeout, millisecond, hour)
                .range("maxInFlight", maxInFlight, 1, 100_000)
                .range("requestBuffer", requestBuffer, LEAST_REQUEST_BUFFER, 1L << 40)
                .range("requestBufferTimeout", requestBufferTimeout, millisecond, hour)
                .range("requestStallTimeout", requestStallTimeout, millisecond, hour)
                .range("shutdownGrace", shutdownGrace, Duration.ZERO, hour)
                .range("tlsHandshakeTimeout", tlsHandshakeTimeout, millisecond, hour)
                .range("maxTlsHandshakes", maxTlsHandshakes, 1, 100_000)
                .check();
    }
}
