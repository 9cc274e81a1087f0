/**
 * The configuration as records that validate themselves, and the YAML reading.
 *
 * <p>May use: nothing else of this project.
 */
@NullMarked
package io.scatterguard.proxy.config;

import org.jspecify.annotations.NullMarked;
