package io.scatterguard.proxy.session;

import org.jspecify.annotations.Nullable;

/** Why a client connection and its server connection were closed; also the label of the counter. */
public enum CloseCause {
    CLIENT_CLOSED("clientClosed"),
    CLIENT_FAILED("clientFailed"),
    SERVER_CLOSED("serverClosed"),
    SERVER_FAILED("serverFailed"),
    CONNECT_FAILED("connectFailed"),
    /** No primary of the replica set was known in time. */
    NO_PRIMARY("noPrimary", "limits.connectTimeout"),
    /** The server is not the primary of its replica set any more. */
    PRIMARY_CHANGED("primaryChanged"),
    CLIENT_PROTOCOL_ERROR("clientProtocolError"),
    SERVER_PROTOCOL_ERROR("serverProtocolError"),
    /** A reply answered no request that is in flight. */
    RESPONSE_MISMATCH("responseMismatch"),
    /** The first request had not come whole in time. */
    HANDSHAKE_TIMEOUT("handshakeTimeout", "limits.handshakeTimeout"),
    IDLE_TIMEOUT("idleTimeout", "limits.idleTimeout"),
    TOO_MANY_CONNECTIONS("tooManyConnections", "limits.maxConnections"),
    /** One client address has as many connections as it may have. */
    TOO_MANY_FROM_ADDRESS("tooManyFromAddress", "limits.maxConnectionsPerAddress"),
    /** One client address connects more often than it may. */
    CONNECTION_RATE("connectionRate", "limits.connectionRate"),
    /** There was no room for a large request in time. */
    REQUEST_BUFFER_TIMEOUT("requestBufferTimeout", "limits.requestBuffer"),
    /** A large request had room, but did not come, or was not taken by the server while others waited. */
    REQUEST_STALLED("requestStalled", "limits.requestStallTimeout"),
    /** A peer that is listed as a load balancer sent no PROXY header. */
    PROXY_HEADER_MISSING("proxyHeaderMissing"),
    /** A PROXY header from a peer that is not listed: nobody else may say who a client is. */
    PROXY_HEADER_UNTRUSTED("proxyHeaderUntrusted"),
    PROXY_HEADER_MALFORMED("proxyHeaderMalformed"),
    /** No certificate, one that is not trusted, no version or cipher in common. */
    TLS_HANDSHAKE_FAILED("tlsHandshakeFailed", null, "see docs/tls.md"),
    TLS_HANDSHAKE_TIMEOUT("tlsHandshakeTimeout", "limits.tlsHandshakeTimeout"),
    /** A client spoke without TLS to a listener that has it. */
    PLAINTEXT_ON_TLS_PORT(
            "plaintextOnTlsPort",
            null,
            "this listener speaks TLS: tls=true belongs into the client's connection string"),
    /** A client spoke TLS to a listener that has none. */
    TLS_ON_PLAINTEXT_PORT(
            "tlsOnPlaintextPort",
            null,
            "this listener does not speak TLS: configure listeners[].tls, or leave tls=true out of the client's"
                    + " connection string"),
    /** No server could be agreed with on TLS. */
    SERVER_TLS_FAILED("serverTlsFailed"),
    /** A message of an opcode that is configured to be refused and has no reply. */
    OPCODE_REFUSED("opcodeRefused"),
    SHUTDOWN("shutdown"),
    INTERNAL_ERROR("internalError");

    private final String text;
    private final @Nullable String limit;
    private final @Nullable String advice;

    CloseCause(String text) {
        this(text, null);
    }

    CloseCause(String text, @Nullable String limit) {
        this(text, limit, null);
    }

    CloseCause(String text, @Nullable String limit, @Nullable String advice) {
        this.text = text;
        this.limit = limit;
        this.advice = advice;
    }

    public String text() {
        return text;
    }

    /** The configuration key of the limit that closed; null if no limit did. */
    @Nullable String limit() {
        return limit;
    }

    /** What can be done about it, for the log; null if there is nothing to say. */
    @Nullable String advice() {
        return advice;
    }
}
