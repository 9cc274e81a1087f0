package io.scatterguard.proxy.net;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A server with which TLS could not be agreed on. The message names it and says why. */
final class ServerTlsException extends IOException {
    private static final long serialVersionUID = 1L;

    ServerTlsException(InetSocketAddress server, Throwable cause) {
        super(server.getHostString() + ":" + server.getPort() + ": TLS failed: " + TlsFailures.reason(cause)
                + " (see server.tls and docs/tls.md)");
    }
}
