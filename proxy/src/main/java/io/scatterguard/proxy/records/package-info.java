/**
 * Audit records as they are read again: what a record is, and what it says of findings. The one reader of the format of
 * docs/audit-log.md; whatever adds records up, lists them or tries a policy on them asks here.
 */
@NullMarked
package io.scatterguard.proxy.records;

import org.jspecify.annotations.NullMarked;
