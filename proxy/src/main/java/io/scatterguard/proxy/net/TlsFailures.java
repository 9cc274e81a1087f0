package io.scatterguard.proxy.net;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.scatterguard.proxy.session.CloseCause;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;

/** What a failed handshake means. */
final class TlsFailures {
    private static final int MAX_REASON = 300;
    private static final int MAX_CAUSES = 10;

    private TlsFailures() {}

    /** Why a client's connection is closed. */
    static CloseCause ofClient(Throwable cause) {
        if (cause instanceof NotSslRecordException) {
            return CloseCause.PLAINTEXT_ON_TLS_PORT;
        } else if (cause instanceof SslHandshakeTimeoutException) {
            return CloseCause.TLS_HANDSHAKE_TIMEOUT;
        } else if (cause instanceof ClosedChannelException) {
            return CloseCause.CLIENT_CLOSED;
        }
        return CloseCause.TLS_HANDSHAKE_FAILED;
    }

    /**
     * What went wrong, in one line without line breaks: the peer has a say in it. What a certificate lacks is named by the
     * innermost exception that is about certificates.
     */
    static String reason(Throwable error) {
        Throwable named = error;
        Throwable cause = error.getCause();
        for (int i = 0; i < MAX_CAUSES && cause != null; i++, cause = cause.getCause()) {
            if (cause instanceof CertificateException || cause instanceof java.security.GeneralSecurityException) {
                named = cause;
            }
        }
        if (error instanceof NotSslRecordException) {
            return "not TLS"; // The message would quote all that the peer sent.
        }
        if (error instanceof ClosedChannelException) {
            return "the connection was closed during the TLS handshake (does the server speak TLS there?)";
        }
        String message = String.valueOf(named.getMessage()).replaceAll("\\p{Cntrl}", " ");
        return message.length() > MAX_REASON ? message.substring(0, MAX_REASON) + "…" : message;
    }
}
