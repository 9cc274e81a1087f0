/**
 * The cluster's metadata as immutable snapshots, and the loaders that refresh them. The only user of the MongoDB driver.
 *
 * <p>May use: {@code bson}, {@code command}, {@code config}.
 */
@NullMarked
package io.scatterguard.proxy.catalog;

import org.jspecify.annotations.NullMarked;
