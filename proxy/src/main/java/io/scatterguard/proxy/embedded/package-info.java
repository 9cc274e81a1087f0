/**
 * The in-memory MongoDB-compatible server of {@code demo}, the sharded shop in it, and the tour through the shop.
 *
 * <p>May use: nothing else of this project.
 */
@NullMarked
package io.scatterguard.proxy.embedded;

import org.jspecify.annotations.NullMarked;
