package io.scatterguard.proxy.tls;

import io.netty.handler.ssl.SslContext;
import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What is needed to reach servers, made of the files of one moment.
 *
 * @param context for the data path
 * @param trust who may have issued the servers' certificates
 * @param key what is shown to a server that asks; null for nothing
 */
record ServerSide(
        SslContext context,
        X509ExtendedTrustManager trust,
        @Nullable X509ExtendedKeyManager key) {
    /** A context for the driver, which keeps the one it is given: it asks {@code current} at each handshake. */
    static SSLContext forDriver(Supplier<ServerSide> current) {
        KeyManager[] keys =
                current.get().key() == null ? null : new KeyManager[] {new CurrentKey(() -> keyOf(current.get()))};
        TrustManager[] trust = {new CurrentTrust(() -> current.get().trust())};
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM has no TLS: " + e.getMessage(), e);
        }
    }

    private static X509ExtendedKeyManager keyOf(ServerSide side) {
        if (side.key() == null) {
            throw new IllegalStateException("a key that was there at start is gone"); // The configuration is fixed.
        }
        return side.key();
    }
}
