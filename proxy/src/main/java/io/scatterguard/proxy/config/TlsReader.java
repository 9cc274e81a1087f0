package io.scatterguard.proxy.config;

import io.scatterguard.proxy.config.ListenerTlsConfig.ClientCertificates;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the sections {@code listeners[].tls} and {@code server.tls}. */
final class TlsReader {
    private TlsReader() {}

    /** How a listener is encrypted; null for a section that is not there, or is wrong. */
    static @Nullable ListenerTlsConfig listener(Section section) {
        if (section.isAbsent()) {
            return null;
        }
        Optional<TlsIdentityConfig> identity = identity(section);
        Path clientCa = section.file("clientCa").orElse(null);
        ClientCertificates clients = section.choice("clientCertificates", ClientCertificates.class)
                .orElse(clientCa == null ? ClientCertificates.NONE : ClientCertificates.REQUIRED);
        TlsVersion minVersion = version(section);
        List<String> ciphers = section.values("ciphers", text -> ListenerTlsConfig.CIPHER_EXPECTED, text -> {
            if (!ListenerTlsConfig.isCipher(text)) {
                throw new IllegalArgumentException(text);
            }
            return text;
        });
        return identity.flatMap(
                        id -> section.build(() -> new ListenerTlsConfig(id, clientCa, clients, minVersion, ciphers)))
                .orElse(null);
    }

    /** How servers are reached; null for a section that is not there, or is wrong. */
    static @Nullable ServerTlsConfig server(Section section) {
        if (section.isAbsent()) {
            return null;
        }
        boolean hasCa =
                section.require("ca", "a PEM file, or " + ServerTlsConfig.SYSTEM_CA + " for whom the JVM trusts");
        Optional<String> ca = section.text("ca");
        boolean system = ca.isEmpty() || ca.get().equals(ServerTlsConfig.SYSTEM_CA);
        Path caFile = system ? null : section.file("ca").orElse(null);
        boolean hasIdentity = Stream.of("certificate", "key", "keyPassword").anyMatch(section::has);
        TlsIdentityConfig identity = hasIdentity ? identity(section).orElse(null) : null;
        boolean hostnameCheck = section.flag("hostnameCheck", true);
        TlsVersion minVersion = version(section);
        return hasCa ? new ServerTlsConfig(caFile, identity, hostnameCheck, minVersion) : null;
    }

    private static TlsVersion version(Section section) {
        return section.choice("minVersion", TlsVersion.class).orElse(TlsVersion.TLS1_2);
    }

    private static Optional<TlsIdentityConfig> identity(Section section) {
        section.require("certificate", "a PEM or PKCS#12 file");
        Path key = section.file("key").orElse(null);
        Secret password = section.secret("keyPassword", "a password; best as ${file:path}", Secret::of)
                .orElse(null);
        return section.file("certificate").map(certificate -> new TlsIdentityConfig(certificate, key, password));
    }
}
