package io.scatterguard.proxy.session;

import io.scatterguard.proxy.routing.RouterRelease;
import org.jspecify.annotations.Nullable;

/**
 * What is configured, and learnt, of the servers behind a listener.
 *
 * @param release the router release to assume; null to take it from each server's {@code hello}
 * @param accessControl whether a client must authenticate
 * @param asksIdentity whether the server is asked who has authenticated where the conversation did not show it
 * @param certificateNotice tells people about X.509
 */
public record ServerTraits(
        @Nullable RouterRelease release,
        AccessControl accessControl,
        boolean asksIdentity,
        CertificateNotice certificateNotice) {}
