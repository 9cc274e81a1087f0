/**
 * Finds shard keys declared in an application's sources, without running any of it. Tolerant scanners, one for each
 * ecosystem. May use {@code protocol.command} and {@code proxy.config}.
 */
@NullMarked
package io.scatterguard.proxy.sources;

import org.jspecify.annotations.NullMarked;
