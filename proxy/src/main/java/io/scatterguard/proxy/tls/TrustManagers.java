package io.scatterguard.proxy.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Makes the JVM's trust and key managers. */
final class TrustManagers {
    private static final char[] IN_MEMORY = "memory".toCharArray();

    private TrustManagers() {}

    /** Trusts what one of {@code cas} has issued; null for what the JVM trusts by itself. */
    static X509ExtendedTrustManager trusting(@Nullable List<X509Certificate> cas) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(cas == null ? null : store(cas));
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager found) {
                    return found;
                }
            }
            throw new IllegalStateException("the JVM has no X509ExtendedTrustManager");
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JVM has no trust manager: " + e.getMessage(), e);
        }
    }

    private static KeyStore store(List<X509Certificate> cas) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        for (int i = 0; i < cas.size(); i++) {
            store.setCertificateEntry("ca-" + i, cas.get(i));
        }
        return store;
    }

    /** Shows {@code identity} to whoever asks. */
    static X509ExtendedKeyManager showing(TlsIdentity identity) {
        try {
            KeyStore store = empty();
            store.setKeyEntry("key", identity.key(), IN_MEMORY, identity.chain().toArray(X509Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
            factory.init(store, IN_MEMORY);
            return (X509ExtendedKeyManager) factory.getKeyManagers()[0];
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JVM has no key manager: " + e.getMessage(), e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
