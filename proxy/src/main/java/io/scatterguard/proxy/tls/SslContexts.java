package io.scatterguard.proxy.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.scatterguard.proxy.config.ListenerTlsConfig;
import io.scatterguard.proxy.config.ServerTlsConfig;
import io.scatterguard.proxy.config.TlsVersion;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Makes Netty's contexts for both sides. No protocol is negotiated inside TLS, and a connection never renegotiates. */
final class SslContexts {
    private static final List<String> TLS_1_3_CIPHERS =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    private final SslProvider provider;

    SslContexts(SslProvider provider) {
        this.provider = provider;
    }

    /** For a listener; {@code clientCas} is empty where clients show no certificates. */
    SslContext forClients(ListenerTlsConfig config, TlsIdentity identity, List<X509Certificate> clientCas)
            throws TlsException {
        SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.chain())
                .sslProvider(provider)
                .protocols(protocols(config.minVersion()))
                .clientAuth(clientAuth(config.clientCertificates()));
        if (!clientCas.isEmpty()) {
            builder.trustManager(clientCas);
        }
        if (!config.ciphers().isEmpty()) {
            builder.ciphers(ciphers(config.ciphers()), IdentityCipherSuiteFilter.INSTANCE);
        }
        return build(builder);
    }

    /** For connections to servers. */
    SslContext forServers(ServerTlsConfig config, @Nullable TlsIdentity identity, X509TrustManager trust)
            throws TlsException {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(provider)
                .protocols(protocols(config.minVersion()))
                .trustManager(trust)
                .endpointIdentificationAlgorithm(config.hostnameCheck() ? "HTTPS" : null);
        if (identity != null) {
            builder.keyManager(identity.key(), identity.chain());
        }
        return build(builder);
    }

    /** {@code oldest} and the later ones, the latest first. */
    private static List<String> protocols(TlsVersion oldest) {
        return switch (oldest) {
            case TLS1_2 -> List.of("TLSv1.3", "TLSv1.2");
            case TLS1_3 -> List.of("TLSv1.3");
        };
    }

    private static ClientAuth clientAuth(ListenerTlsConfig.ClientCertificates clients) {
        return switch (clients) {
            case REQUIRED -> ClientAuth.REQUIRE;
            case OPTIONAL -> ClientAuth.OPTIONAL;
            case NONE -> ClientAuth.NONE;
        };
    }

    /** The configured suites of TLS 1.2 and, because a list replaces all, those of TLS 1.3. */
    private List<String> ciphers(List<String> configured) throws TlsException {
        Set<String> known = known();
        List<String> unknown =
                configured.stream().filter(name -> !known.contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw new TlsException(
                    "ciphers",
                    String.join(", ", unknown) + ": not known to " + provider + " (expected: some of "
                            + String.join(
                                    ", ",
                                    known.stream()
                                            .filter(SslContexts::isAcceptable)
                                            .sorted()
                                            .toList())
                            + ")");
        }
        List<String> all = new ArrayList<>(TLS_1_3_CIPHERS);
        all.retainAll(known);
        all.addAll(configured);
        return all;
    }

    /** A name that the configuration takes, of a suite that does without keys shared beforehand. */
    private static boolean isAcceptable(String name) {
        return name.startsWith("TLS_")
                && name.contains("_WITH_")
                && !name.contains("_PSK_")
                && !name.contains("_anon_");
    }

    private Set<String> known() {
        if (provider != SslProvider.JDK) {
            return OpenSsl.availableJavaCipherSuites();
        }
        try {
            return Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SslContext build(SslContextBuilder builder) throws TlsException {
        try {
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new TlsException(
                    "certificate",
                    "cannot be used: " + cause.getMessage() + " (expected: an RSA or EC key and its certificate)",
                    e);
        }
    }
}
