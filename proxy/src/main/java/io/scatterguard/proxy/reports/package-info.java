/**
 * What audit records add up to, for people and for programs: one finding for each query shape, with its cost, its cause and its
 * fix. Nothing here knows where the records came from.
 */
@NullMarked
package io.scatterguard.proxy.reports;

import org.jspecify.annotations.NullMarked;
