/**
 * The state machines of a client connection and its server connection, and the queue of requests in flight.
 *
 * <p>May use: {@code command}, {@code wire}, {@code bson}, {@code routing}, {@code policy}, {@code audit}, {@code catalog} snapshots.
 */
@NullMarked
package io.scatterguard.proxy.session;

import org.jspecify.annotations.NullMarked;
