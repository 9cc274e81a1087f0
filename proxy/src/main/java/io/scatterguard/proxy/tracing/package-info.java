/**
 * Spans of commands whose comment says which trace they belong to, sent to an OpenTelemetry collector off the event loops.
 *
 * <p>May use: {@code command}, {@code audit} (which it listens in on), values of {@code policy}, {@code routing}, {@code
 * catalog}; {@code otlp}.
 */
@NullMarked
package io.scatterguard.proxy.tracing;

import org.jspecify.annotations.NullMarked;
