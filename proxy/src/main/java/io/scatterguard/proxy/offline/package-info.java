/**
 * Predictions away from a running proxy: described or recorded commands, line by line, each compared with what is expected
 * of it. The command line and the conformance tests use the same checks.
 *
 * <p>May use: {@code bson}, {@code command}, {@code catalog}, {@code routing}.
 */
@NullMarked
package io.scatterguard.proxy.offline;

import org.jspecify.annotations.NullMarked;
