/**
 * Checks of declared sharding rules: by themselves, against each other, and against a database as it is. What the server
 * demands of {@code shardCollection} is the measure.
 *
 * <p>May use: {@code bson}, {@code command}, {@code config}, {@code catalog}.
 */
@NullMarked
package io.scatterguard.proxy.validation;

import org.jspecify.annotations.NullMarked;
