/**
 * What a running proxy answers by HTTP: health, metrics, and the API. Each request that can be made is an {@link
 * io.scatterguard.proxy.admin.Endpoint} in a file of its own, which knows nothing of HTTP servers.
 *
 * <p>May use: {@code command}, {@code config}, {@code catalog}, {@code policy}, {@code findings}, {@code session}, {@code metrics};
 * read-only views of them. No event loop is used, nor waited for.
 */
@NullMarked
package io.scatterguard.proxy.admin;

import org.jspecify.annotations.NullMarked;
