/** End-to-end tests: real drivers, shells and raw bytes through a running proxy. */
@NullMarked
package io.scatterguard.tests.e2e;

import org.jspecify.annotations.NullMarked;
