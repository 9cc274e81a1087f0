package io.scatterguard.proxy.net;

import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How both sides of a listener are encrypted.
 *
 * @param clients the context of a new client connection; null for plain connections
 * @param servers the context of a new server connection; null for plain connections
 * @param handshakeTimeout how long one handshake may take
 * @param slots shared by all listeners
 */
public record TlsSettings(
        @Nullable Supplier<SslContext> clients,
        @Nullable Supplier<SslContext> servers,
        Duration handshakeTimeout,
        HandshakeSlots slots) {}
