/**
 * Explanations of routes as text for people and as JSON for programs. They show values of the command and of chunk bounds:
 * for whoever asked, never for a log.
 *
 * <p>May use: {@code bson}, {@code command}, {@code catalog}, {@code routing}.
 */
@NullMarked
package io.scatterguard.proxy.explain;

import org.jspecify.annotations.NullMarked;
