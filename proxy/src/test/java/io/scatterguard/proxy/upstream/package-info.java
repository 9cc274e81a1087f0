/** Tests of the tracking by itself; real monitors are in the end-to-end tests. */
@NullMarked
package io.scatterguard.proxy.upstream;

import org.jspecify.annotations.NullMarked;
