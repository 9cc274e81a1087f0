/** Tests of the embedded server, the shop in it, and the tour. */
@NullMarked
package io.scatterguard.proxy.embedded;

import org.jspecify.annotations.NullMarked;
