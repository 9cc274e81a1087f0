/**
 * The configuration as records that validate themselves, and the YAML reading.
 *
 * <p>May use: {@code command}, for the names of commands only.
 */
@NullMarked
package io.scatterguard.proxy.config;

import org.jspecify.annotations.NullMarked;
