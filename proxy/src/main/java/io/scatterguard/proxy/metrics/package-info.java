/**
 * What the proxy measures of itself: meters that event loops write, and gauges that are read when somebody asks. Every set of
 * labels is bounded.
 *
 * <p>May use: {@code command}, {@code wire}, {@code codec} (the budget), {@code catalog}, {@code routing}, {@code policy}, {@code
 * audit}, {@code session}, {@code config}, {@code tls}, {@code tracing}; read-only. {@code otlp}.
 */
@NullMarked
package io.scatterguard.proxy.metrics;

import org.jspecify.annotations.NullMarked;
