package io.scatterguard.proxy.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.time.Duration;

/**
 * How TLS is done, apart from the configuration.
 *
 * @param provider who does it: OpenSSL's code or the JVM's own
 * @param reloadInterval how often the files are looked at; a change counts once it was seen twice
 */
public record TlsOptions(SslProvider provider, Duration reloadInterval) {
    private static final Duration RELOAD_INTERVAL = Duration.ofSeconds(5);

    public TlsOptions {
        if (reloadInterval.isNegative() || reloadInterval.isZero()) {
            throw new IllegalArgumentException("reloadInterval: " + reloadInterval + " (expected: more than 0)");
        }
    }

    /** OpenSSL's code where its library can be loaded, which is faster and takes less memory; else the JVM's own. */
    public static TlsOptions standard() {
        return new TlsOptions(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK, RELOAD_INTERVAL);
    }

    /** For a log line: who does it, and why not OpenSSL if it does not. */
    String described() {
        if (provider != SslProvider.JDK) {
            return OpenSsl.versionString();
        }
        Throwable missing = OpenSsl.unavailabilityCause();
        return "JDK" + (missing == null ? "" : " (OpenSSL is not available: " + missing + ")");
    }
}
