/**
 * The command line and the wiring; the only place that knows everything.
 *
 * <p>May use: all.
 */
@NullMarked
package io.scatterguard.proxy.cli;

import org.jspecify.annotations.NullMarked;
