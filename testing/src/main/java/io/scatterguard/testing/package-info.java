/**
 * For the tests of applications: {@link io.scatterguard.testing.Scatterguard} fails the JUnit test that broadcast, and {@link
 * io.scatterguard.testing.ScatterguardContainer} runs the proxy in a container.
 *
 * <p>May use: {@code proxy.cli}, {@code proxy.reports}.
 */
@NullMarked
package io.scatterguard.testing;

import org.jspecify.annotations.NullMarked;
