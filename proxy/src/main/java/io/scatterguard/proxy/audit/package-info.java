/**
 * Audit records, query shapes, redaction, and bounded sinks off the event loops.
 *
 * <p>May use: {@code bson}, {@code command}, {@code config}, values of {@code policy} and {@code routing},
 * {@code otlp}.
 */
@NullMarked
package io.scatterguard.proxy.audit;

import org.jspecify.annotations.NullMarked;
