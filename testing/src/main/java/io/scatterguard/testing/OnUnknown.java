package io.scatterguard.testing;

/** What becomes of a command on a collection of a cluster whose metadata could not be read, and that no sharding rule is about. */
public enum OnUnknown {
    /** It is a finding. */
    REFUSE,
    /** It is none. */
    ALLOW
}
