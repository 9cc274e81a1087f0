package io.scatterguard.proxy.config;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How clients reach a listener by TLS.
 *
 * @param identity the listener's certificate and key
 * @param clientCa PEM: who may have issued the certificates of clients; null where none is asked for
 * @param clientCertificates whether a client must show a certificate
 * @param minVersion the oldest version of TLS that is spoken
 * @param ciphers the cipher suites of TLS 1.2, by their IANA names, the preferred first; empty for the usual ones
 */
public record ListenerTlsConfig(
        TlsIdentityConfig identity,
        @Nullable Path clientCa,
        ClientCertificates clientCertificates,
        TlsVersion minVersion,
        List<String> ciphers) {
    static final String CIPHER_EXPECTED = "the IANA name of a suite of TLS 1.2, like"
            + " TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256; those of TLS 1.3 are always on";

    private static final Pattern CIPHER = Pattern.compile("TLS_[A-Z0-9_]{1,60}_WITH_[A-Z0-9_]{1,60}");

    /** Whether clients show certificates. */
    public enum ClientCertificates implements Choice {
        /** A client without one, or with one of another CA, is closed. */
        REQUIRED("required"),
        /** A client without one passes; one with one of another CA is closed. */
        OPTIONAL("optional"),
        /** None is asked for. */
        NONE("none");

        private final String text;

        ClientCertificates(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    public ListenerTlsConfig {
        ciphers = List.copyOf(ciphers);
        boolean asked = clientCertificates != ClientCertificates.NONE;
        new Requirements()
                .that(
                        !asked || clientCa != null,
                        "clientCertificates",
                        clientCertificates.text()
                                + " without clientCa (expected: clientCa, a PEM file with the CA of the clients)")
                .that(
                        asked || clientCa == null,
                        "clientCa",
                        "without effect with clientCertificates: none (expected: one of both)")
                .that(
                        ciphers.isEmpty() || minVersion == TlsVersion.TLS1_2,
                        "ciphers",
                        "without effect with minVersion: TLS1.3, whose suites are always on (remove it)")
                .check();
    }

    static boolean isCipher(String name) {
        return CIPHER.matcher(name).matches();
    }
}
