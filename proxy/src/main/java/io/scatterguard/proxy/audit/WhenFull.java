package io.scatterguard.proxy.audit;

/** What happens while too many records wait for a sink. */
public enum WhenFull {
    /** Further ones are dropped, and a gap record says which. */
    DROP,
    /** Clients whose commands are recorded are not read until there is room. */
    BLOCK
}
