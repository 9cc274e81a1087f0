/**
 * From a command and a catalog snapshot to the shards a router will contact; pure functions.
 *
 * <p>May use: {@code bson}, {@code command}, {@code catalog}.
 */
@NullMarked
package io.scatterguard.proxy.routing;

import org.jspecify.annotations.NullMarked;
