/**
 * The in-memory MongoDB-compatible server of {@code demo}.
 *
 * <p>May use: nothing else of this project.
 */
@NullMarked
package io.scatterguard.proxy.embedded;

import org.jspecify.annotations.NullMarked;
