package io.scatterguard.proxy.session;

/** Why a client connection and its server connection were closed; also the label of the counter. */
public enum CloseCause {
    CLIENT_CLOSED("clientClosed"),
    CLIENT_FAILED("clientFailed"),
    SERVER_CLOSED("serverClosed"),
    SERVER_FAILED("serverFailed"),
    CONNECT_FAILED("connectFailed"),
    CLIENT_PROTOCOL_ERROR("clientProtocolError"),
    SERVER_PROTOCOL_ERROR("serverProtocolError"),
    /** A reply answered no request that is in flight. */
    RESPONSE_MISMATCH("responseMismatch"),
    /** No certificate, one that is not trusted, no version or cipher in common. */
    TLS_HANDSHAKE_FAILED("tlsHandshakeFailed"),
    TLS_HANDSHAKE_TIMEOUT("tlsHandshakeTimeout"),
    /** A client spoke without TLS to a listener that has it. */
    PLAINTEXT_ON_TLS_PORT("plaintextOnTlsPort"),
    /** A client spoke TLS to a listener that has none. */
    TLS_ON_PLAINTEXT_PORT("tlsOnPlaintextPort"),
    /** No server could be agreed with on TLS. */
    SERVER_TLS_FAILED("serverTlsFailed"),
    FIRST_BYTE_TIMEOUT("firstByteTimeout"),
    TOO_MANY_CONNECTIONS("tooManyConnections"),
    SHUTDOWN("shutdown"),
    INTERNAL_ERROR("internalError");

    private final String text;

    CloseCause(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
