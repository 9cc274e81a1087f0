/**
 * Benchmarks of routing and verdict, run by {@code mvn -Pbench test} and never by the build. They are compiled with the tests,
 * so that they cannot rot.
 */
@NullMarked
package io.scatterguard.tests.bench;

import org.jspecify.annotations.NullMarked;
