package io.scatterguard.proxy.tls;

import io.scatterguard.proxy.config.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A private key and its certificate, followed by those that link it to its CA.
 *
 * @param key the private key
 * @param chain at least one
 */
record TlsIdentity(PrivateKey key, List<X509Certificate> chain) {
    TlsIdentity {
        chain = List.copyOf(chain);
    }

    /**
     * What is in the files: PEM with the key in {@code keyFile} or in the same file, or PKCS#12.
     *
     * @throws TlsException if there is no key, no certificate, or the two do not belong together
     */
    static TlsIdentity read(TlsFile certificate, @Nullable TlsFile keyFile, @Nullable Secret password)
            throws TlsException {
        if (!certificate.isPem()) {
            if (keyFile != null) {
                throw keyFile.error("besides a PKCS#12 file, which holds the key (expected: no \"key\", or PEM in "
                        + certificate.path() + ")");
            }
            return ofKeyStore(certificate, password);
        }
        TlsFile holder = keyFile == null ? certificate : keyFile;
        List<X509Certificate> chain = Certificates.all(certificate);
        PrivateKey key = PrivateKeys.first(holder, password);
        requirePair(holder, key, chain.get(0));
        return new TlsIdentity(key, chain);
    }

    private static TlsIdentity ofKeyStore(TlsFile file, @Nullable Secret password) throws TlsException {
        char[] chars = password == null ? new char[0] : password.reveal().toCharArray();
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(file.bytes()), chars);
            for (String alias : Collections.list(store.aliases())) {
                Key key = store.getKey(alias, chars);
                Certificate[] chain = store.getCertificateChain(alias);
                if (key instanceof PrivateKey found && chain != null && chain.length > 0) {
                    List<X509Certificate> certificates =
                            Stream.of(chain).map(X509Certificate.class::cast).toList();
                    requirePair(file, found, certificates.get(0));
                    return new TlsIdentity(found, certificates);
                }
            }
        } catch (IOException | GeneralSecurityException e) {
            throw file.error(
                    "neither PEM nor a PKCS#12 file that "
                            + (password == null ? "no password opens" : "the password of \"keyPassword\" opens")
                            + " (expected: PEM, or PKCS#12 with its password by \"keyPassword\")",
                    e);
        }
        throw file.error("no private key with its certificate in it (expected: a PKCS#12 file with both)");
    }

    /** A signature by the one must be good by the other. */
    private static void requirePair(TlsFile file, PrivateKey key, X509Certificate certificate) throws TlsException {
        PublicKey pub = certificate.getPublicKey();
        boolean same = pub.getAlgorithm().equals(key.getAlgorithm());
        try {
            if (same) {
                Signature signature = Signature.getInstance(
                        switch (key.getAlgorithm()) {
                            case "RSA" -> "SHA256withRSA";
                            case "EC" -> "SHA256withECDSA";
                            default -> key.getAlgorithm();
                        });
                byte[] text = {1, 2, 3};
                signature.initSign(key);
                signature.update(text);
                byte[] signed = signature.sign();
                signature.initVerify(pub);
                signature.update(text);
                same = signature.verify(signed);
            }
        } catch (GeneralSecurityException e) {
            throw file.error("its private key cannot be used", e);
        }
        if (!same) {
            throw file.error("the private key is not that of the certificate of "
                    + certificate.getSubjectX500Principal().getName()
                    + " (expected: its own; the server's certificate stands first in its file)");
        }
    }

    /** Whose it is; never the key. */
    @Override
    public String toString() {
        return "TlsIdentity[" + chain.get(0).getSubjectX500Principal().getName() + "]";
    }
}
