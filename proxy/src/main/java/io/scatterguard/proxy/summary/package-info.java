/**
 * What the audit logs of some days say: which shapes cost most, whose they are, how that changes from day to day, what passed by
 * exemptions, and how much of it all is lost; as text, as JSON and as a page with charts. Memory grows with what is listed, up to
 * bounds, never with the number of records.
 */
@NullMarked
package io.scatterguard.proxy.summary;

import org.jspecify.annotations.NullMarked;
