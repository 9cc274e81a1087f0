package io.scatterguard.proxy.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the servers behind all listeners are reached by TLS.
 *
 * @param ca PEM: who may have issued their certificates; null for whom the JVM trusts
 * @param identity what is shown to a server that asks; null for nothing
 * @param hostnameCheck whether a server's certificate must name the host that was dialled
 * @param minVersion the oldest version of TLS that is spoken
 */
public record ServerTlsConfig(
        @Nullable Path ca, @Nullable TlsIdentityConfig identity, boolean hostnameCheck, TlsVersion minVersion) {
    /** What {@code ca} says for the certificates that the JVM trusts. */
    static final String SYSTEM_CA = "system";
}
