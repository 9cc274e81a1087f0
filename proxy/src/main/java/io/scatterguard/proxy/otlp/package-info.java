/**
 * The OpenTelemetry protocol over HTTP, in its JSON encoding: requests, and the way to a collector.
 *
 * <p>May use: nothing.
 */
@NullMarked
package io.scatterguard.proxy.otlp;

import org.jspecify.annotations.NullMarked;
