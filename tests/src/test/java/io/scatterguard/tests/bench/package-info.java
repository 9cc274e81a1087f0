/**
 * Benchmarks of routing and verdict, run by {@code mvn -Pbench test}. They are compiled with the tests, so that they cannot rot;
 * what of them depends on no clock is a test.
 */
@NullMarked
package io.scatterguard.tests.bench;

import org.jspecify.annotations.NullMarked;
