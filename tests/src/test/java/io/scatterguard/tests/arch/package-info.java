/** Architecture tests: the package table of {@code docs/architecture.md}. */
@NullMarked
package io.scatterguard.tests.arch;

import org.jspecify.annotations.NullMarked;
