/**
 * What an upgrade, another shard key or another catalog changes for commands that were recorded: each is judged on both sides,
 * and what is different is added up by query shape.
 *
 * <p>May use: {@code bson}, {@code command}, {@code wire}, {@code catalog}, {@code routing}, {@code policy}, {@code audit},
 * {@code logs}, {@code offline}, {@code reports}.
 */
@NullMarked
package io.scatterguard.proxy.changes;

import org.jspecify.annotations.NullMarked;
