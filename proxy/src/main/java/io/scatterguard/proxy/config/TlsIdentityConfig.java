package io.scatterguard.proxy.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a certificate and its private key are.
 *
 * @param certificate PEM: the certificate, then those that link it to its CA; or PKCS#12, which holds the key too
 * @param key PEM: the private key; null where {@code certificate} holds it too
 * @param keyPassword what the key or the PKCS#12 file is encrypted with; null if it is not
 */
public record TlsIdentityConfig(
        Path certificate, @Nullable Path key, @Nullable Secret keyPassword) {}
