package io.scatterguard.proxy.policy;

/** The vocabulary of {@link Verdict#reason()} as far as a policy uses it; it stands in audit records. */
final class Reasons {
    static final String BYPASS = "bypass";
    static final String NEVER_REFUSED = "neverRefused";
    static final String TOOL = "tool";
    static final String RULE = "rule";
    static final String DEFAULT = "default";
    static final String CATALOG_UNKNOWN = "catalogUnknown";
    static final String EXEMPTED = "exempted";
    static final String IN_TRANSACTION = "inTransaction";
    static final String UNACKNOWLEDGED = "unacknowledged";

    private Reasons() {}
}
