/** Tests of handlers by themselves; whole connections are in the end-to-end tests. */
@NullMarked
package io.scatterguard.proxy.net;

import org.jspecify.annotations.NullMarked;
