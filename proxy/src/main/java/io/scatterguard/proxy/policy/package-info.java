/**
 * From a command, its route and its client to a verdict; pure functions over an immutable policy.
 *
 * <p>May use: {@code command}, {@code bson} (a comment is a BSON value), {@code routing}, {@code config}.
 */
@NullMarked
package io.scatterguard.proxy.policy;

import org.jspecify.annotations.NullMarked;
