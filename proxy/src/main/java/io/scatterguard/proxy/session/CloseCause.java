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
    /** A message of an opcode that is configured to be refused and has no reply. */
    OPCODE_REFUSED("opcodeRefused"),
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
