/**
 * What this process has seen of each query shape since it started or was told to begin anew: how often, how costly, what was said
 * of it. One bounded table in memory, {@link io.scatterguard.proxy.findings.ShapeTable}, fed when commands end and read when
 * somebody asks. It holds names and numbers, no value of a command.
 *
 * <p>May use: {@code command}, {@code catalog}, {@code routing}, {@code policy}.
 */
@NullMarked
package io.scatterguard.proxy.findings;

import org.jspecify.annotations.NullMarked;
