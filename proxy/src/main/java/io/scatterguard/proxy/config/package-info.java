/**
 * The configuration as records that validate themselves, and the YAML reading.
 *
 * <p>May use: {@code command}, for names; {@code bson}, for the order of chunk bounds.
 */
@NullMarked
package io.scatterguard.proxy.config;

import org.jspecify.annotations.NullMarked;
