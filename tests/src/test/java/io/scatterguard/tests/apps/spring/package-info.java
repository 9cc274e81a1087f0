/** A shop on Spring Data MongoDB with test suites of its own, which {@code SuitesTest} runs under {@code exec}. */
@NullMarked
package io.scatterguard.tests.apps.spring;

import org.jspecify.annotations.NullMarked;
