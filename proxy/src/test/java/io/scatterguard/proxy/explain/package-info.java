/** Tests of the rendering of values; whole explanations are in the tests of {@code docs/explain.md}. */
@NullMarked
package io.scatterguard.proxy.explain;

import org.jspecify.annotations.NullMarked;
