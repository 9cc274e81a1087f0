/**
 * Commands as servers recorded them: lines of a structured log ("Slow query", since 4.4), documents of the profiler. Reads,
 * and judges nothing.
 */
@NullMarked
package io.scatterguard.proxy.logs;

import org.jspecify.annotations.NullMarked;
