package io.scatterguard.proxy.session;

import io.scatterguard.proxy.routing.RouterRelease;
import org.jspecify.annotations.Nullable;

/**
 * What is configured of the servers behind a listener.
 *
 * @param release the router release to assume; null to take it from each server's {@code hello}
 * @param authenticates whether the cluster has access control, so that a client must authenticate: nothing is refused
 *     before it has, and the server answers it as it would without us
 */
public record ServerTraits(@Nullable RouterRelease release, boolean authenticates) {}
