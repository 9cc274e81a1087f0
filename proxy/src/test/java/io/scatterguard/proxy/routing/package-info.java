/** Tests of the routing stages by themselves; whole commands are in the conformance tests. */
@NullMarked
package io.scatterguard.proxy.routing;

import org.jspecify.annotations.NullMarked;
