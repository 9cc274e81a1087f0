package io.scatterguard.proxy.policy;

/** The whole vocabulary of {@link Verdict#reason()}; it stands in audit records and is described with them. */
public final class Reasons {
    /** Everything passes, because of the configured mode or after repeated faults of our own. */
    public static final String BYPASS = "bypass";

    /** What keeps connections and the cluster going, and what only a rule that names it could refuse. */
    public static final String NEVER_REFUSED = "neverRefused";

    /** The client is one of MongoDB's own tools. */
    public static final String TOOL = "tool";

    public static final String RULE = "rule";
    public static final String DEFAULT = "default";

    /** The metadata of the namespace could not be read; {@code catalog.onUnknown} decided. */
    public static final String CATALOG_UNKNOWN = "catalogUnknown";

    /** A cluster sharded by the declared keys would refuse it; {@code policy.wouldFail} decided. */
    public static final String WOULD_FAIL = "wouldFail";

    /** There were more commands of its shape than the rule's or the default's rate. */
    public static final String THROTTLED = "throttled";

    /** A refusal that was only logged because its query shape is not in the rule's canary. */
    public static final String CANARY = "canary";

    public static final String EXEMPTED = "exempted";

    /** A refusal that was only logged because the query shape is known. */
    public static final String BASELINE = "baseline";

    /** It asks for a transaction of which a statement was refused before, and which that has ended. */
    public static final String TRANSACTION_REFUSED = "transactionRefused";

    /** A refusal that was only logged because the client waits for no reply. */
    public static final String UNACKNOWLEDGED = "unacknowledged";

    /** A refusal that was only logged because the client must authenticate first and has not. */
    public static final String UNAUTHENTICATED = "unauthenticated";

    /** The command could not be read, which is the client's fault; nothing was judged. */
    public static final String MALFORMED = "malformed";

    /** A fault of our own kept it from being judged; {@code policy.onInternalError} decided. */
    public static final String INTERNAL_ERROR = "internalError";

    private Reasons() {}
}
