/**
 * What is exposed to bytes from outside, under coverage-guided fuzzing: one class for each target, with the facts that must
 * hold for any input. The corpus is under {@code fuzz/} of the resources; every build runs all of it, and fresh inputs.
 */
@NullMarked
package io.scatterguard.tests.fuzz.wire;

import org.jspecify.annotations.NullMarked;
