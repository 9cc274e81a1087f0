/** Unit tests of the handlers. */
@NullMarked
package io.scatterguard.proxy.net;

import org.jspecify.annotations.NullMarked;
