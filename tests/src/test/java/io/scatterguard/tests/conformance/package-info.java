/** Predictions compared with what is known of real routers: vectors taken from MongoDB's own tests, and recordings. */
@NullMarked
package io.scatterguard.tests.conformance;

import org.jspecify.annotations.NullMarked;
