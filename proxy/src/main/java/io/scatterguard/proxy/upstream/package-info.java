/**
 * Which server a connection goes to: the servers of a list, or the present primary of a replica set, which is tracked by the
 * MongoDB driver's monitors.
 *
 * <p>May use: nothing of ours. Nothing here blocks whoever dials.
 */
@NullMarked
package io.scatterguard.proxy.upstream;

import org.jspecify.annotations.NullMarked;
