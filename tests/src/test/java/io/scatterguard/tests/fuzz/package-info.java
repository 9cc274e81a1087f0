/**
 * Random shard keys, layouts, documents and filters: what a prediction must hold (soundness), and an oracle of its own that
 * says which shards it is (tightness). Nothing here but {@link io.scatterguard.tests.fuzz.KeyRouterUnderTest} touches the
 * code that is judged.
 */
@NullMarked
package io.scatterguard.tests.fuzz;

import org.jspecify.annotations.NullMarked;
